import CoreData

/// Finds the objects that steps name: `Hero/p1`, `Hero/t1` for an object that the tab inserted, or `@0` for the one
/// that the first step inserted.
///
/// Used only on the context's queue.
final class StepObjects: EditTargets {
    private let context: NSManagedObjectContext
    private let opened: ServedStore
    private let access: BrowserAccess
    /// The names of unsaved objects of the session.
    private let names: StagedNames?
    /// The object that each step so far inserted, by the step's number; nil for a step that inserted none.
    private var created: [NSManagedObject?] = []
    /// The objects that `readTogether` fetched, by their names; they are retained here, since a context does not retain
    /// unchanged objects.
    private var read: [String: NSManagedObject] = [:]

    init(_ context: NSManagedObjectContext, opened: ServedStore, access: BrowserAccess, names: StagedNames?) {
        self.context = context
        self.opened = opened
        self.access = access
        self.names = names
    }

    /// Records the object that a step inserted, which later steps may name by `@` and the step's number.
    func note(created object: NSManagedObject?) { created.append(object) }

    func object(_ name: String, for relationship: NSRelationshipDescription) throws -> NSManagedObject {
        try object(name)
    }

    /// The object of a name.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownEntity`.
    func object(_ name: String) throws -> NSManagedObject {
        let object = try found(name)
        guard access.may(.read, entity: object.entity) else { throw Self.missing(name) }
        guard !object.isDeleted, object.managedObjectContext != nil else {
            throw InspectionError(
                .noObject, subject: PrintableText.escaped(name, limit: 120), cause: "the object is deleted in this tab",
                hint: "undo the deletion first")
        }
        return object
    }

    private func found(_ name: String) throws -> NSManagedObject {
        if name.hasPrefix("@") {
            guard let place = Int(name.dropFirst()), created.indices.contains(place), let object = created[place]
            else { throw Self.missing(name) }
            return object
        }
        if let staged = names?.object(named: name) { return context.object(with: staged.objectID) }
        if let object = read[name] { return object }
        let address: ObjectAddress
        do { address = try ObjectAddress(name) } catch { throw Self.missing(name) }
        if let store = address.store, store.lowercased() != opened.store.identifier.lowercased() {
            throw Self.missing(name)
        }
        let entity = try opened.entity(named: address.entity)
        guard let id = opened.identifier(of: entity, address.key) else { throw Self.missing(name) }
        if let known = context.registeredObject(for: id), known.hasChanges || known.isDeleted { return known }
        let request = NSFetchRequest<NSManagedObject>(entityName: address.entity)
        request.predicate = NSPredicate(format: "SELF == %@", id)
        request.affectedStores = context.parent == nil ? [opened.store] : nil
        guard let object = try context.fetch(request).first else { throw Self.missing(name) }
        return object
    }

    /// Reads the saved objects among many names with few fetches.
    func readTogether(_ names: Set<String>) throws {
        guard names.count > 8 else { return }
        var groups: [String: [NSManagedObjectID]] = [:]
        for name in names {
            guard let address = try? ObjectAddress(name), address.store == nil,
                let entity = opened.model.entitiesByName[address.entity],
                let id = opened.identifier(of: entity, address.key)
            else { continue }
            groups[address.entity, default: []].append(id)
        }
        for (entity, ids) in groups {
            for start in stride(from: 0, to: ids.count, by: 1_000) {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: "SELF IN %@", Array(ids[start..<min(start + 1_000, ids.count)]))
                request.affectedStores = context.parent == nil ? [opened.store] : nil
                for object in try context.fetch(request) { read["\(entity)/p\(object.objectID.key)"] = object }
            }
        }
    }

    static func missing(_ name: String) -> InspectionError {
        InspectionError(
            .noObject, subject: PrintableText.escaped(name, limit: 120), cause: "there is no such object",
            hint: "names look like Hero/p1, or Hero/t1 for what this tab inserted and has not saved")
    }
}
