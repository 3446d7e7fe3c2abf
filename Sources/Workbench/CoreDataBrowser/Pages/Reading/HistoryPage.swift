import CoreData

/// `GET /stores/{store}/history`: the newest transactions; the query can limit them to those before one, of an author,
/// or that changed an object.
struct HistoryPage: ViewPage {
    let route = Route("GET /stores/{store}/history")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let report = HistoryReport(query: call.query, limit: try call.number("limit", default: 50, in: 1...500))
        return .json(
            try await HistoryReport.orReason([("transactions", .array([])), ("keepsOldValues", .null)]) {
                try await call.store.read(for: call.access) { try report.json($0) }
            })
    }
}

/// `POST /stores/{store}/history`: switches on persistent history with old values, from the next save on.
struct HistoryBeginningPage: Page {
    let route = Route("POST /stores/{store}/history")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try store.requireWriting()
        try store.requireChangingAll(for: call.access, "a history keeps")
        let browser = call.browser
        try await BrowsedStore.onOwnThread { try browser.beginHistory(of: store) }
        return .done
    }
}

/// `GET /stores/{store}/history/{number}`: one transaction, with old and new values if they are stored.
struct TransactionPage: ViewPage {
    let route = Route("GET /stores/{store}/history/{number}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let text = call.parameters["number"] ?? ""
        guard let number = Int64(text), number > 0 else {
            throw BrowserFailure(404, code: "noHistory", reason: "'\(text)' is not a number of a transaction")
        }
        let report = HistoryReport(query: [:], limit: 0, number: number)
        return .json(
            try await call.store.read(for: call.access) { reading in
                guard let transaction = try report.transactions(reading).first else {
                    throw BrowserFailure(404, code: "noHistory", reason: "the history has no transaction \(number)")
                }
                return transaction
            })
    }
}

/// `GET /stores/{store}/history/timeline`: the numbers of transactions over time, by author.
struct TimelinePage: Page {
    let route = Route("GET /stores/{store}/history/timeline")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let report = HistoryReport(query: call.query, limit: 0)
        return .json(
            try await HistoryReport.orReason([("authors", .array([]))]) {
                try await call.store.read(for: call.access) { reading in
                    try HistoryTimeline(report.filter(reading.opened), of: reading.opened.store).json
                }
            })
    }
}

/// `GET /stores/{store}/history/span`: the net changes of objects by the transactions after `from` up to `to`.
struct HistorySpanPage: ViewPage {
    let route = Route("GET /stores/{store}/history/span")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let numbers = try ["from", "to"].map { name in
            guard let number = call.query[name].flatMap({ Int64($0) }), number >= 0 else {
                throw BrowserFailure.badRequest(
                    "'\(name)' is not a number of a transaction", hint: "such as from=3&to=9")
            }
            return number
        }
        return .json(
            try await call.store.read(for: call.access) { reading in
                let (store, hidden) = (reading.opened.store, reading.opened.hidden)
                let (changes, isComplete) = try store.netChanges(after: numbers[0], through: numbers[1])
                let shown = changes.filter { hidden?.shows(entity: $0.entity) ?? true }
                return .object([
                    ("from", .integer(numbers[0])), ("to", .integer(numbers[1])),
                    (
                        "objects",
                        .array(
                            shown.map { change in
                                change.json { HistoryReport.shows($0, ofEntity: change.entity, reading) }
                            })
                    ), ("complete", .bool(isComplete)),
                ])
            })
    }
}
