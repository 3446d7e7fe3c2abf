import CoreData

/// A window of a list: fetched directly if it is near the beginning, else found by the list's order.
struct ListWindow: Sendable {
    /// The greatest end of a window that is fetched without an order.
    private static let directReach = 2_000

    let question: ListQuestion
    let keys: String?
    let offset: Int
    let limit: Int
    /// The token of the order that the client uses.
    let token: String?
    /// The name of an object around which the window is placed.
    let around: String?
    let choices: KindChoices

    /// The window's JSON.
    func json(of list: StoreLists) async throws -> JSONValue {
        if let order = list.known(question, token: token) { return try await json(list, order) }
        guard around == nil, offset + limit <= Self.directReach else {
            return try await json(list, try await list.order(question, token: token))
        }
        return try await list.read { reading in
            let ids = try reading.identifiers(question.query(reading, limit: limit, offset: offset))
            let isAtEnd = ids.count < limit && (!ids.isEmpty || offset == 0)
            return try json(reading, ids: ids, offset: offset, total: isAtEnd ? offset + ids.count : nil, order: nil)
        }
    }

    private func json(_ list: StoreLists, _ order: ListOrder) async throws -> JSONValue {
        let isOutdated = order.version != list.version
        return try await list.read { reading in
            var offset = offset
            if let around {
                let name = around.contains("/") ? around : "\(question.entity)/\(around)"
                guard let place = order.place(of: try reading.identifier(at: name)) else {
                    throw BrowserFailure(404, code: "notInList", reason: "the list does not have \(around)")
                }
                offset = max(0, place - limit / 2)
            }
            let ids = order.identifiers(offset, limit)
            return try json(reading, ids: ids, offset: offset, total: order.count, order: (order, isOutdated))
        }
    }

    private func json(
        _ reading: StoreReading, ids: [NSManagedObjectID], offset: Int, total: Int?,
        order: (order: ListOrder, isOutdated: Bool)?
    ) throws -> JSONValue {
        let query = try question.query(reading)
        let columns = try ListColumns(keys, of: query.entity)
        let rows = try RowReport(columns, of: query.entity, choices, reading).rows(ids, query.entity, with: reading)
        return .object([
            ("entity", .string(question.entity)), ("columns", columns.json), ("rows", .array(rows)),
            ("offset", .count(offset)), ("total", .count(total)), ("complete", .bool(total != nil)),
            ("order", .text(order?.order.token)), ("outdated", .bool(order?.isOutdated ?? false)),
            ("notes", .array((columns.notes + query.notes).map { .string($0) })),
        ])
    }
}
