import CoreData

/// The newest transactions of a store's history, as `coredata history --format json` says them.
struct HistoryReport: Sendable {
    /// How many changes of one transaction are handed over.
    private static let changeLimit = 1_000

    let limit: Int
    /// A transaction's number or a date; nil for the end of the history.
    let before: String?

    /// What is hidden is left out; a transaction that changed nothing else has no changes.
    ///
    /// `{"transactions": […]}`, the oldest first; `moreChanges` says how many changes of a transaction are left out.
    ///
    /// - Throws: `InspectionError` of code `noHistory`, and `BrowserFailure` for a bound that is none.
    func json(_ reading: StoreReading) throws -> JSONValue {
        var filter = HistoryFilter()
        filter.limit = limit
        if let before {
            guard let bound = HistoryBound(before) else {
                throw BrowserFailure.badRequest("'before' is neither a transaction's number nor a date")
            }
            filter.before = bound
        }
        var transactions: [JSONValue] = []
        var (present, changes, count): ([JSONValue.Member], [JSONValue], Int) = ([], [], 0)
        let (store, hidden) = (reading.opened.store, reading.opened.hidden)
        try store.readHistory(filter) { part in
            switch part {
            case .transaction(let transaction):
                guard case .members(let members) = transaction.json else { return }
                (present, changes, count) = (members, [], 0)
            case .change(let change):
                if let hidden, !hidden.shows(entity: change.entity ?? "") { break }
                count += 1
                if count <= Self.changeLimit { changes.append(change.json { key in shows(key, change, reading) }) }
            case .end:
                var members = present + [.init(key: "changes", value: .array(changes))]
                if count > changes.count {
                    members.append(.init(key: "moreChanges", value: .count(count - changes.count)))
                }
                transactions.append(.members(members))
            }
        }
        return .object([("transactions", .array(transactions))])
    }

    private func shows(_ key: String, _ change: HistoryEntry, _ reading: StoreReading) -> Bool {
        guard reading.opened.hidden != nil else { return true }
        return reading.opened.model.entitiesByName[change.entity ?? ""]?.propertiesByName[key] != nil
    }
}
