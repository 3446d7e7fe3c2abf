import CoreDataSQL
import PostgresKit

/// The tables of a store's history, and the SQL that uses them.
///
/// A transaction's number is the server's transaction ID, which is never reused, plus a base. IDs are assigned when
/// transactions first write, not when they commit, so the history reports a transaction only when all with lower
/// numbers have ended: its number is below the *horizon*. No transaction with a lower number can then appear later.
struct HistorySchema {
    /// The minimum distance between the numbers of two histories of one store, such as an original and a restored
    /// backup.
    private static let gap: Int64 = 1_000_000_000

    let schema: PostgresSchema

    var transactions: String { schema.table("ATRANSACTION") }

    var changes: String { schema.table("ACHANGE") }

    var state: String { schema.table("AHISTORY") }

    var creation: [PostgresStatement] {
        [
            "CREATE TABLE IF NOT EXISTS \(transactions) (Z_PK bigint PRIMARY KEY, ZTIMESTAMP double precision, "
                + "ZAUTHOR text COLLATE \"C\", ZCONTEXTNAME text COLLATE \"C\", ZBUNDLEID text COLLATE \"C\", "
                + "ZPROCESSID text COLLATE \"C\")",
            "CREATE TABLE IF NOT EXISTS \(changes) (Z_PK bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
                + "ZTRANSACTIONID bigint, ZCHANGETYPE bigint, ZENTITY bigint, ZENTITYPK bigint, ZCOLUMNS bytea, "
                + "ZTOMBSTONE bytea)",
            "CREATE INDEX IF NOT EXISTS ACHANGE_OF_TRANSACTION ON \(changes) (ZTRANSACTIONID, Z_PK)",
            "CREATE TABLE IF NOT EXISTS \(state) (Z_PK bigint PRIMARY KEY, ZBASE bigint NOT NULL, "
                + "ZPURGED bigint NOT NULL, ZMARKER text NOT NULL)",
        ].map { PostgresStatement($0) }
    }

    /// Returns why a store must not be written without recording history; nil if its history has no transactions.
    ///
    /// - Parameter tables: the names of the store's tables on the server.
    func guarding(_ connection: PostgresConnection, _ tables: Set<String>) throws -> String? {
        guard tables.contains("atransaction"), tables.contains("ahistory"),
            try connection.query("SELECT EXISTS (SELECT 1 FROM \(transactions))").int64(0, 0) == 1
        else { return nil }
        return "The store has persistent history, and was opened without NSPersistentHistoryTrackingKey, "
            + "so it is opened read-only."
    }

    /// SQL for the ID of the running transaction; evaluating it assigns an ID.
    private static let ownNumber = "pg_current_xact_id()::text::bigint"

    /// SQL for the horizon: the base plus the lowest transaction ID that may still be in progress.
    static let horizon = "ZBASE + pg_snapshot_xmin(pg_current_snapshot())::text::bigint"

    /// The query for a text that identifies where the tables are; it differs in a copy, after restoring a backup, and
    /// on another timeline of the server.
    var marker: PostgresStatement {
        PostgresStatement(
            "SELECT (SELECT system_identifier FROM pg_control_system())::text || '/' || "
                + "(\(ServerTimeline.query))::text || '/' || "
                + "(SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())::text || '/' || "
                + "coalesce(to_regclass($1::text)::oid, 0::oid)::text",
            [.text(transactions)])
    }

    /// Returns the statement that begins the history of a store that has never had rows, so that no token exists.
    func beginning(marker: String) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO \(state) (Z_PK, ZBASE, ZPURGED, ZMARKER) VALUES (1, 0, 0, $1::text) ON CONFLICT DO NOTHING",
            [.text(marker)])
    }

    /// The statement that skips primary keys of all entities, in a copy or a restored backup: objects inserted after
    /// the backup was made may still be known to programs, and new objects must not get their keys.
    var keyLeap: PostgresStatement {
        PostgresStatement(
            "UPDATE \(schema.table("Z_PRIMARYKEY")) SET Z_MAX = Z_MAX + $1::int8 "
                + "WHERE Z_MAX <= 9223372036854775807 - $1::int8",
            [.integer(Self.gap * Int64.random(in: 1...1_000))])
    }

    /// Returns the statements that start a new history, with numbers that no token of the former one can have.
    func newHistory(marker: String) -> [PostgresStatement] {
        let distance = Self.gap * Int64.random(in: 1...1_000)
        return [
            PostgresStatement(
                "INSERT INTO \(state) (Z_PK, ZBASE, ZPURGED, ZMARKER) VALUES (1, 0, 0, '') ON CONFLICT DO NOTHING", []),
            PostgresStatement(
                "UPDATE \(state) SET ZMARKER = $1::text, ZBASE = f.last + $2::int8, "
                    + "ZPURGED = f.last + $2::int8 + \(Self.ownNumber) FROM (SELECT greatest((SELECT max(ZPURGED) FROM \(state)), "
                    + "(SELECT max(Z_PK) FROM \(transactions)), 0) AS last) f",
                [.text(marker), .integer(distance)]),
            PostgresStatement("DELETE FROM \(changes)", []),
            PostgresStatement("DELETE FROM \(transactions)", []),
        ]
    }

    /// Returns one statement that records a save marker, and the running transaction with its first changes.
    ///
    /// Its second result column is the transaction's number, the third whether all transactions with lower numbers have
    /// ended.
    func closing(_ marker: SaveMarker, _ changes: ChangeRows) -> String {
        // The parameters of the changes follow those of the marker, and the transaction's time and four texts.
        let first = marker.parameters.count + 5 + 1
        return "WITH w AS (\(marker.insertion)), t AS (INSERT INTO \(transactions) "
            + "(Z_PK, ZTIMESTAMP, ZAUTHOR, ZCONTEXTNAME, ZBUNDLEID, ZPROCESSID) "
            + "SELECT ZBASE + \(Self.ownNumber), $3::float8, $4::text, $5::text, $6::text, $7::text FROM \(state) "
            + "RETURNING Z_PK), c AS (\(Self.targets(self.changes)) "
            + "\(changes.selection("t.Z_PK", from: "t", parametersFrom: first))) "
            + "SELECT \(SaveMarker.proof), (SELECT Z_PK FROM t), \(Self.isSettled) FROM w"
    }

    /// The parameters of `closing`.
    func closingParameters(
        _ marker: SaveMarker, source: ChangeSource, changes: ChangeRows
    ) throws -> [PostgresParameter] {
        marker.parameters + [.real(Date().timeIntervalSinceReferenceDate)]
            + [source.author, source.contextName, ProcessIdentity.bundleID, ProcessIdentity.name].map(Self.text)
            + (try changes.parameters())
    }

    /// SQL for whether all transactions with lower numbers than the running one have ended.
    private static let isSettled = "pg_snapshot_xmin(pg_current_snapshot()) >= pg_current_xact_id()"

    private static func targets(_ table: String) -> String {
        "INSERT INTO \(table) (ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS, ZTOMBSTONE)"
    }

    private static func text(_ text: String?) -> PostgresParameter {
        guard let text else { return .null(oid: PostgresType.text) }
        return .text(String(decoding: EscapedText.escaped(text.utf8), as: UTF8.self))
    }

    /// Returns the statement that records further changes of the running transaction.
    func insertion(of changes: ChangeRows) throws -> PostgresStatement {
        let selection = changes.selection("s.ZBASE + \(Self.ownNumber)", from: "\(state) s", parametersFrom: 1)
        return PostgresStatement("\(Self.targets(self.changes)) \(selection)", try changes.parameters())
    }

    /// The query for the newest transaction that the history reports.
    var newest: String {
        "SELECT greatest(h.p, (SELECT max(Z_PK) FROM \(transactions) WHERE Z_PK < h.v)) "
            + "FROM (SELECT ZPURGED AS p, \(Self.horizon) AS v FROM \(state)) h"
    }

    /// The query for the transaction that delays the history: the server's oldest transaction that has written
    /// something.
    var holder: String {
        "SELECT a.pid, a.datname, a.application_name, extract(epoch FROM now() - a.xact_start)::float8 "
            + "FROM pg_catalog.pg_stat_activity a WHERE a.backend_xid IS NOT NULL "
            + "AND EXISTS (SELECT FROM \(transactions) t WHERE t.Z_PK >= (SELECT \(Self.horizon) FROM \(state))) "
            + "ORDER BY age(a.backend_xid) DESC LIMIT 1"
    }
}
