import CoreDataStore

/// The changes that revert a transaction, and what later transactions did to the same objects.
///
/// The values are read in the state that the store would have without the transaction; they refer to no object of a
/// context.
struct TransactionReversal {
    /// A value to set in a property.
    enum Value {
        case attribute(Any?)
        case target(NSManagedObjectID?)
        /// The members of a to-many relationship, in their order.
        case members([NSManagedObjectID])

        /// Whether a later change of the property is a conflict; not for members, which are added and removed singly.
        var canConflict: Bool {
            if case .members = self { false } else { true }
        }
    }

    /// An object to insert, because the transaction deleted it.
    struct Insertion {
        let objectID: NSManagedObjectID
        let values: [String: Value]
    }

    /// An object to update, because the transaction updated it.
    struct Update {
        let objectID: NSManagedObjectID
        let values: [String: Value]
        /// The names of the properties that later transactions changed too.
        let touchedLater: Set<String>
    }

    /// An object to delete, because the transaction inserted it.
    struct Deletion {
        let objectID: NSManagedObjectID
        let isTouchedLater: Bool
    }

    let number: Int64
    let store: NSPersistentStore
    private(set) var insertions: [Insertion] = []
    private(set) var updates: [Update] = []
    private(set) var deletions: [Deletion] = []

    /// `owner` is the name of the reverting context.
    /// - Throws: `NSPersistentHistoryTokenExpiredError` if the history does not have the transaction,
    ///   `NSPersistentStoreUnsupportedRequestTypeError` if it has no old values.
    init(of number: Int64, in history: StoreHistory, for owner: String?) throws {
        guard let coordinator = history.store.persistentStoreCoordinator else {
            throw CoreDataError.noHistory([history.store])
        }
        self.number = number
        store = history.store
        let record = try TransactionRecords(of: number, in: history, coordinator.modelLayout)
        let generation = try NSQueryGenerationToken([(store, .without(number))], of: coordinator, for: owner)
        let past = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        past.persistentStoreCoordinator = coordinator
        let (insertions, updates) = try past.performAndWait {
            // Such as for a large value in a separate file that the transaction removed.
            var failure: (any Error)?
            past.dataErrorHandler = { error, _ in failure = failure ?? error }
            try past.setQueryGenerationFrom(generation)
            let changes = (
                try record.deleted.map { try Self.insertion($0, in: past) },
                try record.updated.compactMap { try Self.update($0, record, in: past) }
            )
            if let failure { throw CoreDataError.unreadableOldValue(number, failure) }
            return changes
        }
        self.insertions = insertions
        self.updates = updates
        deletions = record.inserted.map { row in
            Deletion(objectID: row.address.objectID, isTouchedLater: record.touched[RowKey(row.address)] != nil)
        }
    }

    private static func insertion(_ row: HistoryChangeDetails, in past: NSManagedObjectContext) throws -> Insertion {
        let identifier = row.address.objectID
        let object = try past.existingObject(with: identifier)
        return Insertion(objectID: identifier, values: values(of: object, nil))
    }

    /// Without values for an object that a later transaction deleted: the state without the transaction lacks it too.
    private static func update(
        _ row: HistoryChangeDetails, _ record: TransactionRecords, in past: NSManagedObjectContext
    ) throws -> Update? {
        let identifier = row.address.objectID
        let touched = record.touched[RowKey(row.address)]
        guard touched?.isDeleted != true else {
            return Update(objectID: identifier, values: [:], touchedLater: [])
        }
        let object = try past.existingObject(with: identifier)
        let values = values(of: object, row.updatedNames)
        let later = touched.map { $0.names ?? Set(values.keys) } ?? []
        return Update(objectID: identifier, values: values, touchedLater: later)
    }

    /// An object's values by property names: of the named properties, or of all if `names` is nil.
    ///
    /// Omits transient and derived properties, and relationships for which `related` returns nil.
    private static func values(of object: NSManagedObject, _ names: [String]?) -> [String: Value] {
        var values: [String: Value] = [:]
        for (name, property) in object.entity.propertiesByName where names?.contains(name) ?? true {
            guard !property.isTransient else { continue }
            switch property {
            case is NSDerivedAttributeDescription: continue
            case is NSAttributeDescription: values[name] = .attribute(object.primitiveValue(forKey: name))
            case let relationship as NSRelationshipDescription:
                values[name] = related(relationship, of: object)
            default: continue
            }
        }
        return values
    }

    /// The value of a relationship; nil for an unordered to-many one with a to-one inverse, whose other side has its
    /// values.
    private static func related(_ relationship: NSRelationshipDescription, of object: NSManagedObject) -> Value? {
        let value = object.primitiveValue(forKey: relationship.name)
        guard relationship.isToMany else {
            // Relationships without an inverse may refer to records that were already deleted.
            let target = (value as? NSManagedObject)?.objectID
            return .target(target.flatMap { try? object.managedObjectContext?.existingObject(with: $0) }?.objectID)
        }
        if let ordered = value as? NSOrderedSet {
            return .members(ordered.array.compactMap { ($0 as? NSManagedObject)?.objectID })
        }
        if let inverse = relationship.inverseRelationship, !inverse.isToMany { return nil }
        return .members((value as? NSSet)?.allObjects.compactMap { ($0 as? NSManagedObject)?.objectID } ?? [])
    }
}

extension CoreDataError {
    fileprivate static func unreadableOldValue(_ number: Int64, _ error: any Error) -> NSError {
        make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "A value that transaction \(number) wrote over cannot be read, so the transaction cannot be reverted.",
            reason: (error as NSError).localizedDescription,
            hint: "Large values that lie in files of their own are not kept in the history.", underlying: error)
    }
}

/// The changes of a transaction, and what later transactions did to the same rows.
private struct TransactionRecords {
    /// The changes of a row by later transactions.
    struct Touch {
        /// The changed properties; nil if they are not known.
        var names: Set<String>? = []
        var isDeleted = false
    }

    private(set) var inserted: [HistoryChangeDetails] = []
    private(set) var updated: [HistoryChangeDetails] = []
    private(set) var deleted: [HistoryChangeDetails] = []
    private(set) var touched: [RowKey: Touch] = [:]

    init(of number: Int64, in history: StoreHistory, _ model: ModelLayout) throws {
        let properties = HistoryProperties.all(of: model)
        var rows: Set<RowKey> = []
        var present: Int64 = 0
        try history.store.serialized {
            try history.keeping.readHistory(HistoryQuery(after: .number(number - 1))) { transaction in
                present = transaction.number
                return .changes
            } change: { change in
                guard let address = change.address else { return }
                let details = HistoryChangeDetails(
                    change, address: address, properties: properties[address.binding.layout.number])
                if present == number {
                    rows.insert(RowKey(address))
                    note(details)
                } else if rows.contains(RowKey(address)) {
                    noteLater(details)
                }
            }
        }
        guard !rows.isEmpty else {
            throw CoreDataError.make(
                NSPersistentHistoryTokenExpiredError, "The history has no changes of transaction \(number) any more.",
                reason: "The transaction was deleted from the history.",
                hint: "Only kept transactions can be reverted.",
                userInfo: [NSAffectedStoresErrorKey: [history.store]])
        }
    }

    private mutating func note(_ details: HistoryChangeDetails) {
        switch details.type {
        case .insert: inserted.append(details)
        case .update: updated.append(details)
        case .delete: deleted.append(details)
        }
    }

    private mutating func noteLater(_ details: HistoryChangeDetails) {
        var touch = touched[RowKey(details.address)] ?? Touch()
        switch details.type {
        case .update:
            if let names = details.updatedNames { touch.names?.formUnion(names) } else { touch.names = nil }
        case .insert, .delete: touch.isDeleted = details.type == .delete
        }
        touched[RowKey(details.address)] = touch
    }
}
