import CoreData

/// Takes back what an import has saved, by the store's history.
///
/// The transactions of an import have contexts of its name. They are reverted from the last to the first, each by a transaction that
/// is committed before the next is looked at: what a member of a relationship was follows from the state after the later ones. What
/// the import itself has changed again, or its reversal, is no conflict, so that a reversal which ended halfway can be finished.
package struct ImportReversal {
    private let identifier: String
    private let context: NSManagedObjectContext
    private let pending: [NSPersistentHistoryTransaction]

    /// The name of the contexts of the reversal.
    private static func name(_ identifier: String) -> String { "revert " + identifier }

    /// Finds the transactions.
    ///
    /// - Throws: `ImportError`: `noHistory` if the history does not have the import, or has its reversal; `changedSince` if something
    ///   else has changed an object that the import has changed.
    package init(of identifier: String, in context: NSManagedObjectContext) throws {
        (self.identifier, self.context) = (identifier, context)
        pending = try Self.pending(identifier, context)
    }

    /// The transactions that are to be reverted, the last one first.
    private static func pending(
        _ identifier: String, _ context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .transactionsOnly
        var all = try transactions(request, context)
        // Other stores have numbers of their own.
        let store = all.first { $0.contextName == identifier }?.storeID
        all.removeAll { $0.storeID != store }
        let own = all.filter { $0.contextName == identifier }.sorted { $0.transactionNumber > $1.transactionNumber }
        guard let first = own.last else { throw ImportError(.noHistory, "the history has no import '\(identifier)'") }
        let reversals = all.filter { $0.contextName == name(identifier) }
        // Reverting one that had changed nothing leaves no transaction; to revert it again changes nothing.
        let pending = Array(own.dropFirst(reversals.count))
        guard !pending.isEmpty else {
            throw ImportError(.noHistory, "the history has no import '\(identifier)' that was not taken back")
        }
        let later = all.filter { $0.transactionNumber > first.transactionNumber }
        if later.count > own.count - 1 + reversals.count {
            try requireUnchanged(identifier, since: first, all, context)
        }
        return pending
    }

    private static func transactions(
        _ request: NSPersistentHistoryChangeRequest, _ context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    private static func requireUnchanged(
        _ identifier: String, since first: NSPersistentHistoryTransaction, _ all: [NSPersistentHistoryTransaction],
        _ context: NSManagedObjectContext
    ) throws {
        let former = all.last { $0.transactionNumber < first.transactionNumber }
        let request =
            former.map { NSPersistentHistoryChangeRequest.fetchHistory(after: $0.token) }
            ?? NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .transactionsAndChanges
        var touched: Set<NSManagedObjectID> = []
        for transaction in try transactions(request, context) where transaction.storeID == first.storeID {
            try ReadCancellation.check()
            let objects = (transaction.changes ?? []).map(\.changedObjectID)
            if transaction.contextName == identifier {
                touched.formUnion(objects)
            } else if transaction.contextName != name(identifier), let object = objects.first(where: touched.contains) {
                throw ImportError(
                    .changedSince,
                    "\(object.shortText) was changed after the import '\(identifier)', by transaction "
                        + "\(transaction.transactionNumber)")
            }
        }
    }

    /// How many transactions there are.
    package var count: Int { pending.count }

    /// Reverts and saves them, each by a transaction; the last save also lets the store forget that it has what was imported, so that
    /// the same import reads its document again.
    ///
    /// No other thread saves to the store by this coordinator until the end, when contexts learn of what was saved. If it fails, what was
    /// reverted stays so, and another reversal of the import finishes it.
    ///
    /// - Parameter progress: receives the number of transactions that are reverted.
    /// - Throws: `ImportError` with `noHistory` if the history has no former values, or as `init` if something has changed since;
    ///   `CancellationError` between two of them.
    package func run(progress: (Int) -> Void = { _ in }) throws {
        let stores = context.persistentStoreCoordinator?.persistentStores ?? []
        guard let store = stores.first(where: { $0.identifier == pending.first?.storeID }) else { return }
        context.mergePolicy = NSMergePolicy.overwrite
        context.name = Self.name(identifier)
        context.heldChanges = SavedChanges()
        defer {
            context.announceHeldChanges()
            context.heldChanges = nil
        }
        var token: NSPersistentHistoryToken?
        try store.serialized {
            let pending = try Self.pending(identifier, context)
            for (position, transaction) in pending.enumerated() {
                try ReadCancellation.check()
                // Other processes, and other coordinators of this one, may save between two of the transactions.
                if position > 0 { try requireNothingElse(since: token) }
                token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: [store])
                try revert(transaction, in: store, isLast: position == pending.count - 1)
                progress(position + 1)
            }
        }
    }

    /// Looks at the whole history again if something else was saved after a token.
    private func requireNothingElse(since token: NSPersistentHistoryToken?) throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .transactionsOnly
        let names = try Self.transactions(request, context).map(\.contextName)
        if names.contains(where: { $0 != Self.name(identifier) }) { _ = try Self.pending(identifier, context) }
    }

    private func revert(
        _ transaction: NSPersistentHistoryTransaction, in store: NSPersistentStore, isLast: Bool
    ) throws {
        defer { context.reset() }
        context.transactionAuthor = transaction.author
        do {
            try context.revert(transaction)
        } catch let error as NSError where error.code == NSPersistentStoreUnsupportedRequestTypeError {
            throw ImportError(
                .noHistory,
                "\(error.localizedDescription) Only transactions that are committed with "
                    + "CoreDataHistoryKeepsOldValuesOption can be reverted.")
        }
        let coordinator = context.persistentStoreCoordinator
        let present = coordinator?.metadata(for: store) ?? [:]
        guard isLast, let metadata = ImportMemory.forgetting(identifier, in: present) else { return try context.save() }
        coordinator?.setMetadata(metadata, for: store)
        do {
            try context.save()
        } catch {
            coordinator?.setMetadata(present, for: store)
            throw error
        }
    }
}
