import CoreDataSQL
import PostgresKit

/// The name of a column of `Z_METADATA` that each migration renames: a client that uses the former name has another version.
///
/// Every transaction of an open store begins by naming the column, in the round trip of its first statement. That keeps the table
/// from being migrated until the transaction ends, waits during a migration, and fails after one. Column names are resolved
/// in the current catalog, whatever state of the rows a transaction sees, so that even a retained state fails instead of reading tables
/// that have changed their meaning. `Docs/Decisions/0016-migration-on-a-server.md` says why.
struct StoreEpoch: Equatable {
    private static let prefix = "z_epoch_"

    /// The column as the server has it; nil for a store that does not have one since it was never migrated.
    let column: String?

    /// A name that no epoch has had.
    static func make() -> StoreEpoch {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return StoreEpoch(column: prefix + String(repeating: "0", count: 16 - digits.count) + digits)
    }

    /// The present epoch of a store; nil if there is no store.
    static func find(_ connection: PostgresConnection, _ schema: PostgresSchema) throws -> StoreEpoch? {
        // The catalog itself is asked: what the server remembers of names may be older than the transaction that made them.
        let result = try connection.query(
            "SELECT a.attname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped "
                + "AND starts_with(a.attname::text, '\(prefix)') "
                + "WHERE n.nspname = $1::text AND c.relname = 'z_metadata' AND c.relkind = 'r'", [.text(schema.name)])
        guard result.rowCount > 0 else { return nil }
        return StoreEpoch(column: result.isNull(0, 0) ? nil : result.text(0, 0))
    }

    /// The statement with which each transaction begins: reads no row.
    func check(_ schema: PostgresSchema) -> PostgresStatement? {
        column.map {
            PostgresStatement("SELECT \(SQLIdentifier.quoted($0)) FROM \(schema.table("Z_METADATA")) WHERE false")
        }
    }

    /// The statement that begins another epoch.
    func ending(_ schema: PostgresSchema) -> String {
        let next = Self.make().column ?? ""
        let table = "ALTER TABLE \(schema.table("Z_METADATA"))"
        guard let column else { return "\(table) ADD COLUMN \(next) boolean" }
        return "\(table) RENAME COLUMN \(SQLIdentifier.quoted(column)) TO \(next)"
    }
}
