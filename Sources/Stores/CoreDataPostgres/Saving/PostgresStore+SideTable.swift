import CoreDataSQL
import PostgresKit

/// The entries of `SideTableKeeping` are in a table of the store's schema, made when the first entry is written.
extension PostgresStore: SideTableKeeping {
    package var sideTable: (any SideTableKeeping)? { self }

    private var sideTableName: String { shape.schema.table(ServerSideTable.name) }

    package func sideValue(for key: [UInt8]) throws -> [UInt8]? {
        try reading { table in
            let result = try session.query("SELECT value FROM \(table) WHERE key = $1", [.bytes(key)])
            return result.rowCount == 1 ? Array(result.bytes(0, 0)) : nil
        } ?? nil
    }

    package func sideEntries(withPrefix prefix: [UInt8]) throws -> [SideEntry] {
        try sideEntries(withPrefix: prefix, after: nil, atMost: .max)
    }

    package func sideEntries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost count: Int) throws -> [SideEntry] {
        try reading { table in
            var condition = key == nil ? "key >= $1" : "key > $1"
            var parameters: [PostgresParameter] = [.bytes(key ?? prefix)]
            if let end = SideEntry.end(ofPrefix: prefix) {
                condition += " AND key < $2"
                parameters.append(.bytes(end))
            }
            let limit = count == .max ? "" : " LIMIT \(count)"
            let result = try session.query(
                "SELECT key, value FROM \(table) WHERE \(condition) ORDER BY key\(limit)", parameters)
            return (0..<result.rowCount).map {
                SideEntry(key: Array(result.bytes($0, 0)), value: Array(result.bytes($0, 1)))
            }
        } ?? []
    }

    package func writeSideEntries(_ entries: [SideEntry]) throws {
        guard !entries.isEmpty else { return }
        let table = sideTableName
        try session.reporting("be saved") {
            if try !hasSideTable() {
                _ = try session.query(ServerSideTable.creation(table))
            }
            for start in stride(from: 0, to: entries.count, by: 500) {
                let statements = entries[start..<min(start + 500, entries.count)].map { entry in
                    guard let value = entry.value else {
                        return PostgresStatement("DELETE FROM \(table) WHERE key = $1", [.bytes(entry.key)])
                    }
                    return PostgresStatement(
                        "INSERT INTO \(table) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                        [.bytes(entry.key), .bytes(value)])
                }
                _ = try session.connection.pipeline(statements)
            }
        }
    }

    /// Locks the history: every save that records one waits before it commits.
    package func excludeOtherSaves() throws {
        guard let schema = recordedHistory?.schema else { return }
        try session.reporting("be locked") {
            _ = try session.query("LOCK TABLE \(schema.transactions) IN SHARE ROW EXCLUSIVE MODE")
        }
    }

    /// The server, the database and the table of the metadata: a copy differs in one of them.
    package func placeMark() throws -> [UInt8] {
        try session.answering {
            try session.reporting("be read") {
                let result = try session.query(
                    "SELECT (SELECT system_identifier FROM pg_control_system())::text || '/' || "
                        + "(SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())::text || '/' || "
                        + "coalesce(to_regclass($1::text)::oid, 0::oid)::text",
                    [.text(shape.schema.table("Z_METADATA"))])
                return result.rowCount == 1 ? Array(result.bytes(0, 0)) : []
            }
        }
    }

    private func reading<Result>(_ body: (String) throws -> Result) throws -> Result? {
        try session.answering {
            try session.reporting("be read") { try hasSideTable() ? try body(sideTableName) : nil }
        }
    }

    private func hasSideTable() throws -> Bool {
        let result = try session.query(
            "SELECT (to_regclass($1::text) IS NOT NULL)::int::int8", [.text(sideTableName)])
        return result.int64(0, 0) == 1
    }
}

/// The table of the entries on a server.
enum ServerSideTable {
    static let name = "OPENCOREDATA_SIDETABLE"

    static func creation(_ table: String) -> String {
        "CREATE TABLE IF NOT EXISTS \(table) (key bytea PRIMARY KEY, value bytea NOT NULL)"
    }

    /// Replaces the entries of one store by those of another one.
    static func replace(in to: PostgresSchema, from: PostgresSchema, _ connection: PostgresConnection) throws {
        let (present, made) = (to.table(name), from.table(name))
        let found = try connection.query(
            "SELECT (to_regclass($1::text) IS NOT NULL)::int::int8, (to_regclass($2::text) IS NOT NULL)::int::int8",
            [.text(present), .text(made)])
        let (isPresent, isMade) = (found.int64(0, 0) == 1, found.int64(0, 1) == 1)
        var statements: [String] = []
        if isMade, !isPresent { statements.append(creation(present)) }
        if isPresent { statements.append("DELETE FROM \(present)") }
        if isMade { statements.append("INSERT INTO \(present) SELECT key, value FROM \(made)") }
        _ = try connection.pipeline(statements.map { PostgresStatement($0) })
    }
}
