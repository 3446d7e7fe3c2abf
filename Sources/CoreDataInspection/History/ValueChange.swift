import CoreData

/// A property that a transaction changed, with its value before and after.
package struct ValueChange {
    package let name: String
    package let old: PropertyReading
    package let new: PropertyReading

    /// `{"old", "new"}`
    var json: JSONValue { .object([("old", old.json), ("new", new.json)]) }
}

/// The values before and after one transaction, where the store's history keeps what was written over.
final class TransactionValues {
    private let before: NSManagedObjectContext
    private let after: NSManagedObjectContext
    private let readers: (before: PropertyReader, after: PropertyReader)

    /// Nil where old values are not kept of this transaction and all later ones, or the store cannot be read as it was.
    init?(of number: Int64, in store: OpenStore) {
        func context(asOf number: Int64) throws -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = store.coordinator
            let token = NSPersistentHistoryToken([store.store.identifier: number])
            let generation = try store.coordinator.queryGeneration(asOf: token)
            try context.performAndWait { try context.setQueryGenerationFrom(generation) }
            return context
        }
        guard let before = try? context(asOf: number - 1), let after = try? context(asOf: number) else { return nil }
        (self.before, self.after) = (before, after)
        readers = (PropertyReader(before), PropertyReader(after))
    }

    /// What became of the properties of an object: the named ones, or all attributes and to-one relationships that have or had a value.
    func changes(of identifier: NSManagedObjectID, _ names: [String]?) -> [ValueChange] {
        let old = before.performAndWait { Self.readings(of: identifier, names, before, readers.before) }
        let new = after.performAndWait { Self.readings(of: identifier, names, after, readers.after) }
        return Set(old.keys).union(new.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { name in
            let change = ValueChange(name: name, old: old[name] ?? .null, new: new[name] ?? .null)
            if names == nil, case (.null, .null) = (change.old, change.new) { return nil }
            return change
        }
    }

    private static func readings(
        of identifier: NSManagedObjectID, _ names: [String]?, _ context: NSManagedObjectContext,
        _ reader: PropertyReader
    ) -> [String: PropertyReading] {
        guard let object = try? context.existingObject(with: identifier) else { return [:] }
        var readings: [String: PropertyReading] = [:]
        for (name, property) in object.entity.propertiesByName where !property.isTransient {
            let isToMany = (property as? NSRelationshipDescription)?.isToMany ?? false
            guard names?.contains(name) ?? !isToMany, !(property is NSFetchedPropertyDescription) else { continue }
            readings[name] = reader.read(property, of: object)
        }
        return readings
    }
}
