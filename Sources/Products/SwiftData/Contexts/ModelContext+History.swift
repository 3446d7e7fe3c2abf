import CoreDataGraph
import Foundation

extension ModelContext {
    /// Returns the transactions that a descriptor describes, with their changes.
    ///
    /// - Throws: `SwiftDataError.historyTokenExpired` if transactions after a token of the predicate were deleted or
    ///   the store was replaced by an older copy, `.invalidTransactionFetchRequest` if no store has a history of such
    ///   transactions, an error of a store of one's own.
    public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        guard !container.hasOwnStores else { return try container.ownHistory(descriptor) }
        return try HistoryQuery(descriptor, self).transactions() as? [T] ?? []
    }

    /// Deletes the transactions that a descriptor describes from the history. Models are not changed.
    ///
    /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if no store has a history, an error of the store.
    public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        guard !container.hasOwnStores else { return try container.deleteOwnHistory(descriptor) }
        let query = try HistoryQuery(descriptor, self)
        query.isDeletion = true
        let found = try query.transactions()
        for (identifier, transactions) in Dictionary(grouping: found, by: \.storeIdentifier) {
            let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
            let selection = NSPersistentHistoryTransaction.fetchRequest
            selection?.predicate = NSPredicate(
                format: "transactionNumber IN %@", transactions.map { NSNumber(value: $0.transactionIdentifier) })
            request.fetchRequest = selection
            request.affectedStores = container.coordinator.persistentStores.filter { $0.identifier == identifier }
            _ = try records.execute(request)
        }
    }
}

/// Finds the transactions of a descriptor.
private final class HistoryQuery {
    private let descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    private let context: ModelContext
    /// Whether tokens may be older than the history, and changes are not needed.
    var isDeletion = false

    init<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>, _ context: ModelContext) throws {
        guard let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else {
            throw SwiftDataError.invalidTransactionFetchRequest.stating(
                "The stores of the container have transactions of DefaultHistoryTransaction, and not of \(T.self).")
        }
        guard context.container.configurations.contains(where: { !$0.isStoredInMemoryOnly }) else {
            throw SwiftDataError.invalidTransactionFetchRequest.stating(
                "The container has stores in memory alone, which keep no history.")
        }
        self.descriptor = descriptor
        self.context = context
    }

    func transactions() throws -> [DefaultHistoryTransaction] {
        let condition = try translated()
        if let condition, !isDeletion {
            for token in condition.startingTokens { try requireAll(after: token) }
        }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let isInMemory = descriptor.predicate != nil && condition == nil
        request.resultType = isDeletion && !isInMemory ? .transactionsOnly : .transactionsAndChanges
        let selection = NSPersistentHistoryTransaction.fetchRequest
        selection?.predicate = condition?.predicate
        let limit = Int(clamping: descriptor.fetchLimit)
        if !isInMemory, descriptor.sortBy.isEmpty { selection?.fetchLimit = limit }
        request.fetchRequest = selection
        var found = try executed(request).map(DefaultHistoryTransaction.init)
        if isInMemory, let predicate = descriptor.predicate { found = try found.filter { try predicate.evaluate($0) } }
        if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
        return limit > 0 ? Array(found.prefix(limit)) : found
    }

    /// The predicate in Core Data's form; nil if there is none, or a store cannot answer it.
    private func translated() throws -> HistoryCondition? {
        guard let predicate = descriptor.predicate else { return nil }
        do {
            return try PredicateTranslation.condition(predicate, in: context.container.coordinator)
        } catch  where SwiftDataError.unsupportedPredicate ~= error {
            return nil
        }
    }

    private func requireAll(after token: any TranslatableToken) throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token.persistentToken)
        request.resultType = .statusOnly
        do {
            _ = try context.records.execute(request)
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSPersistentHistoryTokenExpiredError
        {
            throw SwiftDataError.historyTokenExpired.stating(
                "Transactions after the token were deleted, or the store is older than the token. Fetch the models that "
                    + "are needed again, and go on from the token of the last transaction.")
        }
    }

    private func executed(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.records.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
}

/// A predicate on transactions in Core Data's form.
struct HistoryCondition {
    let predicate: NSPredicate
    /// The tokens after which transactions are looked for.
    let startingTokens: [any TranslatableToken]
}

extension PredicateTranslation {
    fileprivate static func condition(
        _ predicate: Predicate<DefaultHistoryTransaction>, in coordinator: NSPersistentStoreCoordinator
    ) throws -> HistoryCondition {
        var scope = PredicateScope(coordinator: coordinator)
        scope.bind(
            predicate.variable.key, NSExpression.expressionForEvaluatedObject(), DefaultHistoryTransaction.self,
            text: "$0")
        let holding = try scope.condition(predicate.expression).holding
        return HistoryCondition(predicate: holding, startingTokens: scope.startingTokens)
    }
}
