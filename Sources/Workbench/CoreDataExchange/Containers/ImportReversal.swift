import CoreData

/// Takes back what an import has saved, by the store's history.
///
/// The transactions of an import have contexts of its name. They are reverted from the last to the first; what the import itself has
/// changed again, or their reversals, is no conflict.
package struct ImportReversal {
    private let identifier: String
    private let context: NSManagedObjectContext
    private let own: [NSPersistentHistoryTransaction]

    /// Finds the transactions.
    ///
    /// - Throws: `ImportError`: `noHistory` if the history does not have the import, `changedSince` if something else has changed an
    ///   object that the import has changed.
    package init(of identifier: String, in context: NSManagedObjectContext) throws {
        (self.identifier, self.context) = (identifier, context)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .transactionsOnly
        let all = try Self.transactions(request, context)
        own = all.filter { $0.contextName == identifier }.sorted { $0.transactionNumber > $1.transactionNumber }
        guard let first = own.last else { throw ImportError(.noHistory, "the history has no import '\(identifier)'") }
        let others = all.filter { $0.transactionNumber > first.transactionNumber && $0.contextName != identifier }
        if !others.isEmpty { try requireUnchanged(since: first, all) }
    }

    private static func transactions(
        _ request: NSPersistentHistoryChangeRequest, _ context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    private func requireUnchanged(
        since first: NSPersistentHistoryTransaction, _ all: [NSPersistentHistoryTransaction]
    ) throws {
        let former = all.last { $0.transactionNumber < first.transactionNumber }
        let request =
            former.map { NSPersistentHistoryChangeRequest.fetchHistory(after: $0.token) }
            ?? NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .transactionsAndChanges
        var touched: Set<NSManagedObjectID> = []
        for transaction in try Self.transactions(request, context) {
            try ReadCancellation.check()
            let objects = (transaction.changes ?? []).map(\.changedObjectID)
            if transaction.contextName == identifier {
                touched.formUnion(objects)
            } else if let object = objects.first(where: touched.contains) {
                throw ImportError(
                    .changedSince,
                    "\(object.shortText) was changed after the import '\(identifier)', by transaction "
                        + "\(transaction.transactionNumber)")
            }
        }
    }

    /// How many transactions there are.
    package var count: Int { own.count }

    /// Reverts and saves them, each by a transaction.
    ///
    /// - Throws: `ImportError` with `noHistory` if the history has no former values.
    package func run() throws {
        context.mergePolicy = NSMergePolicy.overwrite
        context.name = "revert " + identifier
        for transaction in own {
            try ReadCancellation.check()
            context.transactionAuthor = transaction.author
            do {
                try context.revert(transaction)
            } catch let error as NSError where error.code == NSPersistentStoreUnsupportedRequestTypeError {
                throw ImportError(
                    .noHistory,
                    "\(error.localizedDescription) Only transactions that are committed with "
                        + "CoreDataHistoryKeepsOldValuesOption can be reverted.")
            }
            try context.save()
            context.reset()
        }
    }
}
