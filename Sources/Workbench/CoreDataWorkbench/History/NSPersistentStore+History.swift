import CoreData

extension NSPersistentStore {
    /// Where the store is, for errors.
    var place: URL { url ?? URL(fileURLWithPath: "/") }

    /// Hands out the transactions that a filter takes, the oldest first, each with its changes; nothing is held.
    ///
    /// - Parameter hasValues: whether the changes of the one transaction that the filter names have old and new values, where these
    ///   are kept.
    /// - Throws: `InspectionError` of code `noHistory` or `unreadable`; and what `body` throws.
    package func readHistory(
        _ filter: HistoryFilter, hasValues: Bool = false, _ body: (HistoryPart) throws -> Void
    ) throws {
        let history = try keptHistory()
        let start = filter.limit > 0 ? try newest(filter, of: history) : nil
        var iteration = HistoryIteration(self, history: history, filter: filter)
        if hasValues { iteration.values = filter.number.flatMap { TransactionValues(of: $0, in: self) } }
        try iteration.run(after: start, body)
    }

    /// The store's history.
    ///
    /// - Throws: `InspectionError` of code `noHistory`.
    func keptHistory() throws -> any HistoryKeeping {
        guard let history = objects?.history else {
            throw InspectionError.noHistory(place, objects?.reasonForNoHistory)
        }
        return history
    }

    /// The place before the newest transactions that a filter with a limit takes.
    func newest(_ filter: HistoryFilter, of history: any HistoryKeeping) throws -> HistoryBound? {
        var numbers: [Int64] = []
        var count = 0
        var iteration = HistoryIteration(self, history: history, filter: filter)
        // Whether a transaction is taken is known without its changes unless the filter is for an entity.
        iteration.reading = filter.entity == nil ? .next : .changes
        try iteration.run(after: nil) { part in
            guard case .transaction(let transaction) = part else { return }
            if count < filter.limit {
                numbers.append(transaction.number)
            } else {
                numbers[count % filter.limit] = transaction.number
            }
            count += 1
        }
        guard count > filter.limit else { return nil }
        return .number(numbers[count % filter.limit] - 1)
    }
}
