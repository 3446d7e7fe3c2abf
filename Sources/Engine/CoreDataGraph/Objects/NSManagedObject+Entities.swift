import CoreDataStore

/// Finds the entity of a class.
extension NSManagedObject {
    static func knownEntity() -> NSEntityDescription {
        if let entity = KnownEntities.entity(of: self) { return entity }
        CoreDataLogging.report(
            .error,
            "No NSEntityDescriptions in any model claim the NSManagedObject subclass '\(self)' so +entity "
                + "is confused. Have you loaded your NSManagedObjectModel yet?")
        return KnownEntities.unclaimed(self)
    }

    static func entity(in context: NSManagedObjectContext) -> NSEntityDescription {
        guard let model = context.knownModel else {
            stop("could not locate an NSManagedObjectModel for entity name '\(self)'")
        }
        if let layout = model.layout(ofClass: ObjectIdentifier(self)) { return layout.entity }
        let names = model.entities.filter { $0.objectClass == self }.compactMap(\.entity.name).sorted()
        stop(
            "An NSManagedObject of class '\(self)' must have a valid NSEntityDescription: \(names.count) "
                + "entities of the context's model have this class" + (names.isEmpty ? "" : ": ")
                + names.joined(separator: ", ") + ". If the model names it without its module, name the module "
                + "with ObjectClassResolver.register(module:) before the model is used; of several entities name one with "
                + "init(entity:insertInto:).")
    }
}
