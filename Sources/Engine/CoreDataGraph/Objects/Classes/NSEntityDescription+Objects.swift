import CoreDataStore

extension NSEntityDescription {
    /// Returns the entity with a name in the model of a context; nil if there is none. Stops if the context has no
    /// coordinator.
    public class func entity(forEntityName name: String, in context: NSManagedObjectContext) -> NSEntityDescription? {
        guard context.persistentStoreCoordinator != nil else {
            stop("could not locate an NSManagedObjectModel for entity name '\(name)'")
        }
        return context.modelLayout.layout(named: name)?.entity
    }

    /// Inserts a new object of the entity's class; stops if the model lacks the entity, or it is abstract.
    public class func insertNewObject(
        forEntityName name: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let entity = entity(forEntityName: name, in: context) else {
            let near = NameSuggestion(for: name, in: context.modelLayout.entities.compactMap(\.entity.name))
            stop(
                "could not locate an entity named '\(name)' in this model."
                    + (near.map { " " + $0.sentence } ?? ""))
        }
        let layout = EntityLayout.of(entity)
        return (layout?.objectClass ?? NSManagedObject.self).init(entity: entity, insertInto: context)
    }
}
