import CoreData

/// A property that a transaction changed, with its value before and after.
package struct ValueChange {
    package let name: String
    package let old: PropertyReading
    package let new: PropertyReading

    /// Whether the values differ.
    var isReal: Bool { JSONWriter.line(old.json) != JSONWriter.line(new.json) }

    /// `{"old", "new"}`
    var json: JSONValue { .object([("old", old.json), ("new", new.json)]) }
}

/// Reads objects as they were before and after one transaction, or a sequence of transactions.
///
/// Requires a history that records old values.
final class TransactionValues {
    private let before: NSManagedObjectContext
    private let after: NSManagedObjectContext
    private let readers: (before: PropertyReader, after: PropertyReader)

    /// Reads the values before and after one transaction; nil under the conditions of `init(from:to:in:)`.
    convenience init?(of number: Int64, in store: NSPersistentStore) {
        self.init(from: number - 1, to: number, in: store)
    }

    /// Reads the values after a first and after a last transaction; nil if old values are not recorded for all
    /// transactions after the first, or the store's past state cannot be read.
    init?(from first: Int64, to last: Int64, in store: NSPersistentStore) {
        guard let coordinator = store.persistentStoreCoordinator else { return nil }
        func context(asOf number: Int64) throws -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let token = NSPersistentHistoryToken([store.identifier: number])
            let generation = try coordinator.queryGeneration(asOf: token)
            try context.performAndWait { try context.setQueryGenerationFrom(generation) }
            return context
        }
        guard let before = try? context(asOf: first), let after = try? context(asOf: last) else { return nil }
        (self.before, self.after) = (before, after)
        readers = (PropertyReader(before), PropertyReader(after))
    }

    /// Whether an object existed before, and exists after.
    func presence(of identifier: NSManagedObjectID) -> (before: Bool, after: Bool) {
        func isThere(_ context: NSManagedObjectContext) -> Bool {
            context.performAndWait { (try? context.existingObject(with: identifier)) != nil }
        }
        return (isThere(before), isThere(after))
    }

    /// The changes of an object's properties: of the named ones, or of all attributes and to-one relationships with a
    /// value before or after.
    func changes(of identifier: NSManagedObjectID, _ names: [String]?) -> [ValueChange] {
        let old = before.performAndWait {
            Self.readings(of: identifier, names, context: before, reader: readers.before)
        }
        let new = after.performAndWait { Self.readings(of: identifier, names, context: after, reader: readers.after) }
        return Set(old.keys).union(new.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { name in
            let change = ValueChange(name: name, old: old[name] ?? .null, new: new[name] ?? .null)
            if names == nil, case (.null, .null) = (change.old, change.new) { return nil }
            return change
        }
    }

    private static func readings(
        of identifier: NSManagedObjectID, _ names: [String]?, context: NSManagedObjectContext,
        reader: PropertyReader
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
