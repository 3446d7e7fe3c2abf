import CoreData

extension NSPersistentStore {
    /// The store's URL, for errors.
    var place: URL { url ?? URL(fileURLWithPath: "/") }

    /// Passes the transactions that a filter selects to `body`, the oldest first, each with its changes; none is
    /// retained.
    ///
    /// - Parameter hasValues: Whether the changes of the single transaction that the filter names include old and new
    ///   values, if these are recorded.
    /// - Throws: `InspectionError` of code `noHistory` or `unreadable`; and errors of `body`.
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

    /// The bound after which the newest transactions begin that a filter with a limit selects; nil if the limit is not
    /// exceeded.
    func newest(_ filter: HistoryFilter, of history: any HistoryKeeping) throws -> HistoryBound? {
        var numbers: [Int64] = []
        var count = 0
        var iteration = HistoryIteration(self, history: history, filter: filter)
        // Unless the filter is for an entity, it selects transactions without regard to their changes.
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
