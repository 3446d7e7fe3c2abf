import CoreData

/// The newest transactions of a store's history, as `coredata history --format json` says them.
struct HistoryReport: Sendable {
    /// How many changes of one transaction are handed over.
    private static let changeLimit = 1_000

    let limit: Int
    /// A transaction's number or a date; nil for the end of the history.
    let before: String?

    /// `{"transactions": […]}`, the oldest first; `moreChanges` says how many changes of a transaction are left out.
    ///
    /// - Throws: `InspectionError` of code `noHistory`, and `BrowserFailure` for a bound that is none.
    func json(_ store: NSPersistentStore) throws -> JSONValue {
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
        try store.readHistory(filter) { part in
            switch part {
            case .transaction(let transaction):
                guard case .members(let members) = transaction.json else { return }
                (present, changes, count) = (members, [], 0)
            case .change(let change):
                count += 1
                if count <= Self.changeLimit { changes.append(change.json) }
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
}
