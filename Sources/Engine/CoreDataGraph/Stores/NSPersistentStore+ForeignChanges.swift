import CoreDataStore

/// What a commit below the contexts changed.
package struct ForeignCommit {
    /// The transactions' numbers in the store's history.
    package var transactions: [Int64] = []
    /// The number for a history token of the state after the commit; nil while earlier transactions may follow.
    package var position: Int64?
    package var changes = SavedChanges()
    /// The slabs of the plans' rows.
    package var slabs: [RowSlab] = []

    package init() {}

    package mutating func add(_ receipt: SaveReceipt) {
        if let transaction = receipt.transaction { transactions.append(transaction) }
        position = receipt.position ?? position
    }
}

extension NSPersistentStore {
    /// Runs a block that changes rows of the store by plans of its own, in one transaction where the store can; contexts then see the
    /// changes as those of another process: rows are read again, `NSPersistentStoreRemoteChange` is posted, and contexts that merge
    /// changes by themselves merge these.
    ///
    /// No validation, delete rule or merge policy runs. If the block throws, a store with `SaveGrouping` is as it was before.
    ///
    /// - Throws: `NSPersistentStoreSaveError` if the store has been removed, and what the block throws.
    package func changingBelowContexts<Result>(
        _ body: (any ObjectStore, inout ForeignCommit) throws -> Result
    ) throws -> Result {
        guard let source = objects else {
            throw CoreDataError.make(NSPersistentStoreSaveError, "The store has been removed from its coordinator.")
        }
        return try serialized {
            var commit = ForeignCommit()
            var isCommitted = false
            defer { if isCommitted || source.saveGrouping == nil { announce(commit) } }
            let result = try source.saveTogether { try body(source, &commit) } ?? body(source, &commit)
            isCommitted = true
            return result
        }
    }

    /// Called while the store is locked.
    private func announce(_ commit: ForeignCommit) {
        guard !commit.changes.isEmpty else { return }
        rowCache.noteUnknownChanges()
        // A store in memory keeps the slabs, and more of their rows become outdated with every further save: the cache must know them
        // before it is offered one by a reader.
        for slab in commit.slabs { rowCache.publishWritten(slab) }
        for transaction in commit.transactions.dropLast() {
            remoteChanges.noteCommit(transaction, announcing: nil, in: self)
        }
        remoteChanges.noteCommit(commit.transactions.last, announcing: commit.position, in: self)
        guard let coordinator = persistentStoreCoordinator else { return }
        coordinator.operations.forgetRows(of: commit.changes)
        for context in coordinator.mergingContexts.members { context.operations.mergeLater(commit.changes) }
    }
}
