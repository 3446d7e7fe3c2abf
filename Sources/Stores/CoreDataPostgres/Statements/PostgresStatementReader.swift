import CoreDataSQL
import PostgresKit

/// Executes SQL statements written by people, with a role that cannot write.
///
/// | protection | means |
/// |---|---|
/// | a single statement | the extended query protocol accepts no more |
/// | only reading | a role without other grants, and `READ ONLY` |
/// | no lasting effects | the transaction is rolled back, and the connection closed |
/// | bounded | `statement_timeout`; rows are fetched in pieces, the server truncates long values |
final class PostgresStatementReader: StatementReading {
    private static let connectTimeout = Duration.seconds(10)
    /// The approximate number of bytes of rows that are in memory at one time.
    private static let pieceSize = 4 << 20
    private static let mostOfPiece = 256

    private let location: PostgresLocation
    private let connection: PostgresConnection

    /// - Throws: `NSPersistentStoreOpenError` if there is no store, `StatementError` with the code `off` if the role
    ///   can write.
    init(_ location: PostgresLocation) throws {
        self.location = location
        do {
            connection = try location.connectForStatements(timeout: Self.connectTimeout)
        } catch {
            throw PostgresErrors.during("be asked", error: error, location: location)
        }
        try reporting {
            try ReadingRole.require(connection, location)
            guard
                try connection.query("SELECT to_regnamespace($1::text) IS NOT NULL", [.text(quotedSchema)]).int64(0, 0)
                    == 1
            else {
                throw PostgresLocation.refusal(
                    location.publicURL, "there is no schema '\(location.schema)'",
                    hint: "Look at the database's name and at ?schema=.")
            }
            let paths = "\(quotedSchema), pg_catalog"
            _ = try connection.query("SELECT set_config('search_path', $1::text, false)", [.text(paths)])
        }
    }

    deinit { connection.close() }

    private var quotedSchema: String { SQLIdentifier.alwaysQuoted(location.schema) }

    var interruption: @Sendable () -> Void {
        let canceller = connection.canceller
        return { canceller.cancel() }
    }

    // MARK: Names

    func tables() throws -> [StatementTable] {
        try reporting {
            let result = try connection.query(
                "SELECT c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_class c "
                    + "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                    + "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid WHERE n.nspname = $1::text "
                    + "AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped "
                    + "ORDER BY c.relname, a.attnum",
                [.text(location.schema)])
            var tables: [(name: String, columns: [(name: String, type: String)])] = []
            for row in 0..<result.rowCount {
                let name = result.text(row, 0) ?? ""
                if tables.last?.name != name { tables.append((name, [])) }
                tables[tables.count - 1].columns.append((result.text(row, 1) ?? "", result.text(row, 2) ?? ""))
            }
            return tables.map { StatementTable(name: $0.name, columns: $0.columns) }
        }
    }

    func shape(of sql: String) throws -> StatementShape {
        try explaining(sql) {
            let description = try connection.describe(sql)
            let tables = Set(description.columns.compactMap(\.origin?.table))
            var names: [String: (table: String, column: String)] = [:]
            for table in tables {
                let result = try connection.query(
                    "SELECT c.relname, a.attname, a.attnum::bigint FROM pg_catalog.pg_class c "
                        + "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid "
                        + "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                        + "WHERE c.oid = $1::int8::oid AND n.nspname = $2::text",
                    [.integer(Int64(table)), .text(location.schema)])
                for row in 0..<result.rowCount {
                    names["\(table)/\(result.int64(row, 2) ?? 0)"] =
                        (result.text(row, 0) ?? "", result.text(row, 1) ?? "")
                }
            }
            return StatementShape(
                parameterCount: description.parameterCount,
                columns: description.columns.map { column in
                    StatementShape.Column(
                        name: column.name, origin: column.origin.flatMap { names["\($0.table)/\($0.column)"] })
                })
        }
    }

    // MARK: Rows

    func read(
        _ sql: String, values: [String?], limit: Int, sizes: (text: Int, blob: Int), time: Duration,
        body: ([ReadCell]) -> Bool
    ) throws {
        try explaining(sql) {
            let columns = try connection.describe(sql).columns
            guard !columns.isEmpty else { throw StatementError(.refused, "the statement gives no rows") }
            let parameters = values.map { PostgresParameter.untyped($0) }
            let milliseconds = max(1, Int(time / .milliseconds(1)))
            _ = try connection.pipeline([
                PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                PostgresStatement("SET LOCAL statement_timeout = \(milliseconds)"),
                PostgresStatement("SET LOCAL idle_in_transaction_session_timeout = \(milliseconds + 60_000)"),
            ])
            defer { _ = try? connection.query("ROLLBACK") }
            let selection = StatementSelection(columns, sizes)
            guard let query = selection.query(around: sql, limit: limit) else {
                return try selection.readWhole(connection.query(sql, parameters), limit: limit, body: body)
            }
            _ = try connection.query("DECLARE opencoredata_rows NO SCROLL CURSOR FOR \(query)", parameters)
            let count = min(Self.mostOfPiece, max(1, Self.pieceSize / selection.rowSize))
            while true {
                let rows = try connection.query("FETCH \(count) FROM opencoredata_rows")
                for row in 0..<rows.rowCount where !body(selection.values(rows, row)) { return }
                if rows.rowCount < count { return }
            }
        }
    }

    // MARK: Errors

    /// Runs a block; errors of the statement are thrown as `StatementError`, other errors as errors of the store.
    private func explaining<Result>(_ sql: String, _ body: () throws -> Result) throws -> Result {
        try reporting {
            do {
                return try body()
            } catch let error as PostgresError where error.kind != .connection && error.kind != .closed {
                throw Self.statementError(error, sql)
            }
        }
    }

    private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgresError {
            throw PostgresErrors.during("be asked", error: error, location: location)
        }
    }

    private static func statementError(_ error: PostgresError, _ sql: String) -> any Error {
        let reason = PrintableText.line(error.message)
        switch error.sqlState {
        // The statement writes, and the role or the read-only transaction does not permit that.
        case "25006", "42501": return StatementError(.refused, reason)
        case "57014": return error.kind == .cancelled ? StatementError(.timeout, reason) : error
        default:
            let offset = error.position.map { sql.unicodeScalars.prefix($0).reduce(0) { $0 + UTF8.width($1) } }
            return StatementError(.bad, reason, hint: error.hint.map { PrintableText.line($0) }, at: offset)
        }
    }
}
