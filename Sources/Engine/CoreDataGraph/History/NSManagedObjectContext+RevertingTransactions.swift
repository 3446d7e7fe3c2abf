import CoreDataStore

extension NSManagedObjectContext {
    /// Reverts a transaction by unsaved changes of the context: deletes the objects that the transaction inserted,
    /// inserts those that it deleted, and sets changed properties to their former values.
    ///
    /// Not in Apple's framework. Nothing is written until the context is saved, and the undo manager can undo the
    /// changes. A restored object is a new one with a new identifier; restored relationships to the former object refer
    /// to the new one. There is a conflict if later transactions or unsaved changes of the context changed the same
    /// property, or an object that would be deleted, or deleted an object that would be changed. The context's merge
    /// policy decides: the error policy throws; `mergeByPropertyStoreTrump` and `rollback` keep the later changes;
    /// other policies replace them with the former values, except for later changes that cannot be reverted, such as a
    /// deletion. Members that a to-many relationship later got or lost are kept. Call it on the context's queue.
    /// - Throws: `NSManagedObjectMergeError` with the conflicts under "conflictList";
    ///   `NSPersistentStoreUnsupportedRequestTypeError` for a transaction that was committed without
    ///   `CoreDataHistoryKeepsOldValuesOption`, such as Apple's own; `NSPersistentHistoryTokenExpiredError` for one
    ///   that was deleted from the history, 134501 for one of another store. The context is then unchanged.
    public func revert(_ transaction: NSPersistentHistoryTransaction) throws {
        checkQueue()
        let stores = persistentStoreCoordinator?.persistentStores ?? []
        guard let store = stores.first(where: { $0.identifier == transaction.storeID }) else {
            throw CoreDataError.foreignToken(transaction.token, stores)
        }
        guard let history = store.keptHistory else { throw CoreDataError.noHistory([store]) }
        let reversal = try TransactionReversal(of: transaction.transactionNumber, in: history, for: name)
        try ReversalApplication(reversal, in: self).run()
    }
}

/// Applies the reversal of a transaction to a context's objects.
private struct ReversalApplication {
    private let reversal: TransactionReversal
    private let context: NSManagedObjectContext
    /// Whether a later change is kept if it conflicts with the reversal.
    private let keepsLaterChanges: Bool
    private let refusesConflicts: Bool

    init(_ reversal: TransactionReversal, in context: NSManagedObjectContext) {
        self.reversal = reversal
        self.context = context
        let policy = context.decidingPolicy.mergeType
        refusesConflicts = policy == .errorMergePolicyType
        keepsLaterChanges =
            policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .rollbackMergePolicyType
    }

    func run() throws {
        var updates: [(object: NSManagedObject, values: [String: TransactionReversal.Value])] = []
        var deletions: [NSManagedObject] = []
        var conflicts: [NSManagedObject] = []
        var lost: [NSManagedObjectID] = []
        for update in reversal.updates {
            guard let object = present(update.objectID) else {
                lost.append(update.objectID)
                continue
            }
            var values = update.values
            let unsaved = Set(object.changedValues().keys)
            for (name, value) in update.values where value.canConflict && !isPresent(value, name: name, object: object)
            {
                guard update.touchedLater.contains(name) || unsaved.contains(name) || !leadsSomewhere(value) else {
                    continue
                }
                conflicts.append(object)
                if keepsLaterChanges { values[name] = nil }
            }
            updates.append((object, values))
        }
        for deletion in reversal.deletions {
            guard let object = present(deletion.objectID) else { continue }
            if deletion.isTouchedLater || object.hasChanges {
                conflicts.append(object)
                if keepsLaterChanges { continue }
            }
            deletions.append(object)
        }
        if refusesConflicts, !(conflicts.isEmpty && lost.isEmpty) {
            throw CoreDataError.reversal(reversal.number, conflicts: conflicts, lost: lost)
        }
        let restored = insert()
        for insertion in reversal.insertions {
            if let object = restored[insertion.objectID] { set(insertion.values, of: object, restored) }
        }
        for (object, values) in updates { set(values, of: object, restored) }
        for object in deletions { context.delete(object) }
    }

    /// Inserts new objects in place of the deleted ones; returns the new objects by the former identifiers.
    private func insert() -> [NSManagedObjectID: NSManagedObject] {
        var restored: [NSManagedObjectID: NSManagedObject] = [:]
        for insertion in reversal.insertions {
            guard let name = insertion.objectID.entity.name else { continue }
            let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            context.assign(object, to: reversal.store)
            restored[insertion.objectID] = object
        }
        return restored
    }

    private func set(
        _ values: [String: TransactionReversal.Value], of object: NSManagedObject,
        _ restored: [NSManagedObjectID: NSManagedObject]
    ) {
        for (name, value) in values {
            switch value {
            case .attribute(let value):
                object.willChangeValue(forKey: name)
                object.setPrimitiveValue(value, forKey: name)
                object.didChangeValue(forKey: name)
            case .target(let identifier):
                let target = identifier.flatMap { restored[$0] ?? present($0) }
                object.setPrimitiveValue(target, forKey: name)
            case .members(let identifiers):
                object.setPrimitiveValue(
                    NSOrderedSet(array: identifiers.compactMap { restored[$0] ?? present($0) }), forKey: name)
            }
        }
    }

    /// The context's object with an identifier; nil if its record does not exist or it is deleted.
    private func present(_ identifier: NSManagedObjectID) -> NSManagedObject? {
        guard let object = try? context.existingObject(with: identifier), !object.isDeleted else { return nil }
        return object
    }

    /// Whether an object's property already has a value.
    private func isPresent(_ value: TransactionReversal.Value, name: String, object: NSManagedObject) -> Bool {
        let present = object.primitiveValue(forKey: name)
        switch value {
        case .attribute(let value): return (value as? NSObject) == (present as? NSObject)
        case .target(let identifier): return (present as? NSManagedObject)?.objectID == identifier
        case .members: return false
        }
    }

    /// Whether the target of a to-one relationship exists, or will be restored; true for other values.
    private func leadsSomewhere(_ value: TransactionReversal.Value) -> Bool {
        guard case .target(let identifier?) = value else { return true }
        return reversal.insertions.contains { $0.objectID == identifier } || present(identifier) != nil
    }
}

extension CoreDataError {
    fileprivate static func reversal(
        _ number: Int64, conflicts: [NSManagedObject], lost: [NSManagedObjectID]
    ) -> NSError {
        var seen: Set<ObjectIdentifier> = []
        let objects = conflicts.filter { seen.insert(ObjectIdentifier($0)).inserted }
        let list = objects.map {
            NSMergeConflict(
                source: $0, newVersion: Int($0.snapshotVersion), oldVersion: Int($0.snapshotVersion),
                cachedSnapshot: $0.committedSnapshot, persistedSnapshot: nil)
        }
        let names = (objects.map(\.objectID) + lost).prefix(5).map(\.description).joined(separator: ", ")
        return make(
            NSManagedObjectMergeError, "Transaction \(number) cannot be reverted without losing later changes.",
            reason: "Objects that it changed were changed or deleted since: \(names).",
            hint: "Set a merge policy of the context: mergeByPropertyStoreTrump keeps the later changes, "
                + "mergeByPropertyObjectTrump gives them up.",
            userInfo: [
                conflictListKey: list, NSPersistentStoreSaveConflictsErrorKey: list, NSAffectedObjectsErrorKey: objects,
            ])
    }
}
