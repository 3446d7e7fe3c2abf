import CoreData

/// `GET /stores/{store}/tables`: the entities and tables of a store that could not be opened; reading them needs no
/// model.
struct RawTablesPage: ViewPage {
    let route = Route("GET /stores/{store}/tables")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.closedStore
        let file = store.file
        let names = try await BrowsedStore.onOwnThread { try RawTable.names(inStoreAt: file) }
        let tables = names.map { JSONValue.object([("name", .string($0.name)), ("entity", .bool($0.isEntity))]) }
        return .json(.object([("store", store.summary), ("tables", .array(tables))]))
    }
}

/// `GET /stores/{store}/tables/{table}`: rows of a table, or of an entity's table, as SQLite stores them.
struct RawRowsPage: ViewPage {
    private static let greatest = 1_000

    let route = Route("GET /stores/{store}/tables/{table}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, name) = (try call.closedStore, call.parameters["table"] ?? "")
        let offset = try call.number("offset", default: 0, in: 0...Int(Int32.max))
        let limit = try call.number("limit", default: 100, in: 1...Self.greatest)
        return .json(
            try await BrowsedStore.onOwnThread {
                let table = try RawTable(name, inStoreAt: store.file)
                var rows: [JSONValue] = []
                try table.forEachRow(limit: limit, offset: offset) { row in
                    rows.append(.array(row.map(Self.cell)))
                }
                return .object([
                    ("columns", .array(table.columns.map { .string($0) })), ("rows", .array(rows)),
                    ("offset", .count(offset)), ("total", .count(try table.count())),
                ])
            })
    }

    /// A value in the JSON of the SQL page.
    @Sendable private static func cell(_ reading: PropertyReading) -> JSONValue {
        switch reading {
        case .value(let data as Data, _):
            return SQLCell.blob(Array(data.prefix(SQLCell.mostOfBlob)), bytes: data.count).json
        case .text(let text):
            let shown = ShownValue(reading)
            guard shown.isCut, case .string(let start) = shown.json else { return .string(text) }
            return SQLCell.cutText(start, bytes: text.utf8.count).json
        default: return ShownValue(reading).json
        }
    }
}

extension PageCall {
    /// The store that the path names, which could not be opened.
    ///
    /// - Throws: `BrowserFailure` 404; 403 if rules may hide something, which could not be left out of a table's rows.
    fileprivate var closedStore: ClosedStore {
        get throws {
            guard !browser.options.rules.mayHideSome else {
                throw BrowserFailure(
                    403, code: "notAllowed", reason: "rows of tables show what may be hidden from you",
                    hint: "ask who runs the browser")
            }
            return try browser.closedStore(parameters["store"] ?? "")
        }
    }
}
