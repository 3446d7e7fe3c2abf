import CoreDataSQL
import PostgresKit

/// The name of a column of `Z_METADATA` that each migration renames: a client that uses the former name has another
/// version.
///
/// Every transaction of an open store first uses the column's name, in the round trip of its first statement. The
/// statement prevents a migration until the transaction ends, waits during a migration, and fails after one. Column
/// names are resolved in the current catalog, whatever snapshot a transaction sees, so that even a retained snapshot
/// fails instead of reading tables whose meaning has changed. `Docs/Decisions/0016-migration-on-a-server.md` explains
/// this.
struct StoreEpoch: Equatable {
    private static let prefix = "z_epoch_"

    /// The column's name on the server; nil for a store that has no such column, as it was never migrated.
    let column: String?

    /// Makes a name that no epoch has had.
    static func make() -> StoreEpoch {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return StoreEpoch(column: prefix + String(repeating: "0", count: 16 - digits.count) + digits)
    }

    /// Returns the current epoch of a store; nil if there is no store.
    static func find(_ connection: PostgresConnection, _ schema: PostgresSchema) throws -> StoreEpoch? {
        // The catalog tables are queried, since the server's caches may be older than the transaction that renamed the
        // column.
        let result = try connection.query(
            "SELECT a.attname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped "
                + "AND starts_with(a.attname::text, '\(prefix)') "
                + "WHERE n.nspname = $1::text AND c.relname = 'z_metadata' AND c.relkind = 'r'", [.text(schema.name)])
        guard result.rowCount > 0 else { return nil }
        return StoreEpoch(column: result.isNull(0, 0) ? nil : result.text(0, 0))
    }

    /// The statement with which each transaction begins; it reads no row. Nil for a store without the column.
    func check(_ schema: PostgresSchema) -> PostgresStatement? {
        column.map {
            PostgresStatement("SELECT \(SQLIdentifier.quoted($0)) FROM \(schema.table("Z_METADATA")) WHERE false")
        }
    }

    /// Returns the statement that ends this epoch: it gives the column a new name, or adds the column if missing.
    func ending(_ schema: PostgresSchema) -> String {
        let next = Self.make().column ?? ""
        let table = "ALTER TABLE \(schema.table("Z_METADATA"))"
        guard let column else { return "\(table) ADD COLUMN \(next) boolean" }
        return "\(table) RENAME COLUMN \(SQLIdentifier.quoted(column)) TO \(next)"
    }
}
