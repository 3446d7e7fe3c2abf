import CoreData

/// The newest transactions of a store's history, in the JSON of `coredata history --format json`.
struct HistoryReport: Sendable {
    /// The greatest number of changes that are reported of one transaction.
    private static let changeLimit = 1_000

    let query: [String: String]
    let limit: Int
    /// The number of the only transaction to report, with old and new values; nil for the newest transactions.
    var number: Int64?

    /// Leaves out hidden entities and properties; a transaction that changed nothing else has an empty list of changes.
    ///
    /// `{"transactions": […], "keepsOldValues"}`, the oldest first; `moreChanges` says how many changes of a
    /// transaction are left out.
    ///
    /// - Throws: `InspectionError` of code `noHistory`, and `BrowserFailure` for an invalid bound.
    func json(_ reading: StoreReading) throws -> JSONValue {
        let transactions = try transactions(reading)
        let keepsOldValues = RevertibleSaves.keepsOldValues(reading.opened.store)
        return .object([
            ("transactions", .array(transactions)), ("keepsOldValues", keepsOldValues.map { .bool($0) } ?? .null),
        ])
    }

    /// The answer of `read`; if the store has no history, the members of an empty answer and the reason.
    ///
    /// A missing history is not the client's error.
    static func orReason(
        _ empty: [(String, JSONValue)], _ read: () async throws -> JSONValue
    ) async throws -> JSONValue {
        do {
            return try await read()
        } catch let error as InspectionError where error.code == .noHistory {
            return .object(empty + [("reason", .string(error.cause))])
        }
    }

    /// The filter that the query asks for.
    func filter(_ opened: ServedStore) throws -> HistoryFilter {
        var filter = HistoryFilter()
        filter.limit = limit
        filter.number = number
        filter.author = query["author"].flatMap { $0.isEmpty ? nil : $0 }
        filter.before = try bound("before")
        filter.after = try bound("after")
        if let name = query["entity"], !name.isEmpty { filter.entity = try opened.entity(named: name) }
        if let object = query["object"], !object.isEmpty { try filter.takeObject(object, of: opened.model) }
        return filter
    }

    private func bound(_ name: String) throws -> HistoryBound? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let bound = HistoryBound(text) else {
            throw BrowserFailure.badRequest("'\(name)' is neither a transaction's number nor a date")
        }
        return bound
    }

    /// The transactions with what may be shown of their changes.
    func transactions(_ reading: StoreReading) throws -> [JSONValue] {
        let filter = try filter(reading.opened)
        var transactions: [JSONValue] = []
        var (present, changes, count): ([JSONValue.Member], [JSONValue], Int) = ([], [], 0)
        let (store, hidden) = (reading.opened.store, reading.opened.hidden)
        try store.readHistory(filter, hasValues: number != nil) { part in
            switch part {
            case .transaction(let transaction):
                guard case .members(let members) = transaction.json else { return }
                (present, changes, count) = (members, [], 0)
            case .change(let change):
                if let hidden, !hidden.shows(entity: change.entity ?? "") { break }
                count += 1
                if count <= Self.changeLimit {
                    changes.append(change.json { key in shows(key, change: change, reading: reading) })
                }
            case .end:
                var members = present + [.init(key: "changes", value: .array(changes))]
                if count > changes.count {
                    members.append(.init(key: "moreChanges", value: .count(count - changes.count)))
                }
                transactions.append(.members(members))
            }
        }
        return RevertibleSaves.marked(transactions, in: store)
    }

    private func shows(_ key: String, change: HistoryEntry, reading: StoreReading) -> Bool {
        Self.shows(key, ofEntity: change.entity, reading)
    }

    /// Whether the user may see a property.
    static func shows(_ key: String, ofEntity entity: String?, _ reading: StoreReading) -> Bool {
        guard reading.opened.hidden != nil else { return true }
        return reading.opened.model.entitiesByName[entity ?? ""]?.propertiesByName[key] != nil
    }
}
