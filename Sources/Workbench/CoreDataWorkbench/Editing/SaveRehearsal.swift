import CoreData

/// Finds the SQL statements that saving a context's changes would run, by saving them in a transaction that is rolled
/// back.
///
/// The rehearsal uses a connection and a coordinator of its own, since a save changes objects in memory irreversibly.
package struct SaveRehearsal {
    private static let longestStatement = 4_000

    private let source: NSManagedObjectContext
    private let store: NSPersistentStore

    /// A rehearsal of a save of `source`; used on the queue of `source`.
    package init(of source: NSManagedObjectContext, in store: NSPersistentStore) {
        self.source = source
        self.store = store
    }

    /// The first statements with their values, long ones cut, and how many there are; nil for a store that is not
    /// SQLite.
    ///
    /// - Throws: The errors that the save would throw.
    package func statements(limit: Int) throws -> (shown: [String], count: Int)? {
        guard store.type == NSSQLiteStoreType, let url = store.url,
            let model = source.persistentStoreCoordinator?.managedObjectModel
        else { return nil }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let copy = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: store.configurationName, at: url, options: store.options)
        // An error of closing does not affect the result.
        defer { try? coordinator.remove(copy) }
        guard let backed = copy as? SQLiteStore else { return nil }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy.overwrite
        return try context.performAndWait {
            defer { context.reset() }
            try take(into: context)
            let all = try backed.withBackend { file in try file.statements(ofRehearsed: { try context.save() }) }
            let shown = all.prefix(limit).map { text in
                let scalars = text.unicodeScalars
                return scalars.count > Self.longestStatement
                    ? String(scalars.prefix(Self.longestStatement)) + "…" : text
            }
            return (shown, all.count)
        }
    }

    /// Repeats the source's changes in another context of the same store.
    private func take(into context: NSManagedObjectContext) throws {
        var twins: [NSManagedObjectID: NSManagedObject] = [:]
        func twin(_ object: NSManagedObject) throws -> NSManagedObject? {
            if let known = twins[object.objectID] { return known }
            let id = context.persistentStoreCoordinator?.managedObjectID(
                forURIRepresentation: object.objectID.uriRepresentation())
            guard let id else { return nil }
            let found = try? context.existingObject(with: id)
            twins[object.objectID] = found
            return found
        }
        for object in source.insertedObjects {
            twins[object.objectID] = NSEntityDescription.insertNewObject(
                forEntityName: object.entity.name ?? "", into: context)
        }
        for object in source.insertedObjects.union(source.updatedObjects) {
            guard let target = try twin(object) else { continue }
            for (key, value) in object.changedValues() {
                guard let property = object.entity.propertiesByName[key], !property.isTransient,
                    !(property is NSDerivedAttributeDescription), !(property is NSFetchedPropertyDescription)
                else { continue }
                switch value {
                case let set as NSOrderedSet:
                    let members = try set.array.compactMap { try ($0 as? NSManagedObject).flatMap(twin) }
                    try target.setCodedValue(NSOrderedSet(array: members), forKey: key)
                case let set as NSSet where property is NSRelationshipDescription:
                    let members = try set.allObjects.compactMap { try ($0 as? NSManagedObject).flatMap(twin) }
                    try target.setCodedValue(NSSet(array: members), forKey: key)
                case let other as NSManagedObject: try target.setCodedValue(try twin(other), forKey: key)
                case is NSNull: try target.setCodedValue(nil, forKey: key)
                default: try target.setCodedValue(value, forKey: key)
                }
            }
        }
        for object in source.deletedObjects { try twin(object).map(context.delete) }
    }
}
