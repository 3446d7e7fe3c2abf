import CoreDataSQL
import PostgresKit

/// Reads transactions and their changes, a page at a time, within a transaction that sees one snapshot of the store.
///
/// Damaged records are skipped: a change of an unknown kind is omitted.
struct PostgresHistoryReader {
    private static let transactionsAtOnce = 500

    private let session: PostgresSession
    private let history: StoreHistoryTables
    private let query: HistoryQuery
    private var changes: ChangePages

    init(_ session: PostgresSession, history: StoreHistoryTables, query: HistoryQuery) {
        self.session = session
        self.history = history
        self.query = query
        changes = ChangePages(session, history, row: query.row)
    }

    mutating func read(
        transaction: (HistoryTransaction) throws -> HistoryReading, change: (HistoryChange) throws -> Void
    ) throws {
        var last = Int64.min
        while true {
            let page = try headers(after: last)
            guard let end = page.last?.number else { return }
            guard end > last else { throw Self.disorder }
            for header in page {
                switch try transaction(header) {
                case .end: return
                case .next: continue
                case .changes: try changes.forEach(of: header.number, through: end, change)
                }
            }
            guard page.count == Self.transactionsAtOnce else { return }
            last = end
        }
    }

    /// The error of rows that are not in the requested order, since reading on might never end.
    static let disorder = PostgresError(
        .protocolViolation, "the server sent rows of the history in another order than it was asked for",
        attempt: "read the history")

    private func headers(after last: Int64) throws -> [HistoryTransaction] {
        var conditions = [
            "t.Z_PK > $1::int8", "t.Z_PK < (SELECT \(HistorySchema.horizon) FROM \(history.schema.state))",
        ]
        var parameters: [PostgresParameter] = [.integer(last)]
        func add(_ condition: String, _ parameter: PostgresParameter) {
            parameters.append(parameter)
            conditions.append("\(condition) $\(parameters.count)")
        }
        switch query.after {
        case .number(let number)?: add("t.Z_PK >", .integer(number))
        case .time(let time)?: add("t.ZTIMESTAMP >", .real(time))
        case nil: break
        }
        if let through = query.through { add("t.Z_PK <=", .integer(through)) }
        let result = try session.query(
            "SELECT \(Self.headerColumns) FROM \(history.schema.transactions) t "
                + "WHERE \(conditions.joined(separator: " AND ")) "
                + "ORDER BY t.Z_PK LIMIT \(Self.transactionsAtOnce)", parameters)
        return (0..<result.rowCount).compactMap { Self.header(result, $0) }
    }

    /// The columns of `ATRANSACTION t` from which `header` makes a transaction.
    static let headerColumns = "t.Z_PK, t.ZTIMESTAMP, t.ZAUTHOR, t.ZCONTEXTNAME, t.ZBUNDLEID, t.ZPROCESSID"

    /// Makes the transaction of a row with `headerColumns`.
    static func header(_ result: PostgresResult, _ row: Int) -> HistoryTransaction? {
        func text(_ column: Int) -> String? {
            guard !result.isNull(row, column) else { return nil }
            return String(decoding: EscapedText.unescaped(result.bytes(row, column)), as: UTF8.self)
        }
        guard let number = result.int64(row, 0) else { return nil }
        let time = result.double(row, 1) ?? 0
        return HistoryTransaction(
            number: number, time: time.isFinite ? time : 0, author: text(2), contextName: text(3), bundleID: text(4),
            processID: text(5))
    }
}
