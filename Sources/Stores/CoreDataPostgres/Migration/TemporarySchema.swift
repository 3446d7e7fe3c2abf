import CoreDataSQL
import PostgresKit

/// A schema beside that of a store, in which a new store is built that is to replace it.
///
/// The name is random, and the schema's comment identifies the store. If a killed program has left such a schema, the
/// next one that makes a temporary schema for the store removes it. This is safe, since the program holds the lock for
/// changing the store's tables.
struct TemporarySchema {
    private static let prefix = "opencoredata_"

    let name: String

    /// Creates an empty schema.
    static func make(for location: PostgresLocation, _ connection: PostgresConnection) throws -> TemporarySchema {
        removeAbandoned(of: location, connection)
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        let temporary = TemporarySchema(name: prefix + String(repeating: "0", count: 16 - digits.count) + digits)
        _ = try connection.pipeline([
            PostgresStatement("BEGIN"), PostgresStatement("CREATE SCHEMA \(temporary.name)"),
            PostgresStatement("COMMENT ON SCHEMA \(temporary.name) IS \(quoted(mark(of: location)))"),
            PostgresStatement("COMMIT"),
        ])
        return temporary
    }

    /// The statement that removes the schema with its contents.
    var removal: PostgresStatement { PostgresStatement("DROP SCHEMA IF EXISTS \(name) CASCADE") }

    private static func removeAbandoned(of location: PostgresLocation, _ connection: PostgresConnection) {
        let found = try? connection.query(
            "SELECT n.nspname FROM pg_catalog.pg_namespace n WHERE n.nspname ~ '^\(prefix)[0-9a-f]{16}$' "
                + "AND obj_description(n.oid, 'pg_namespace') = $1::text", [.text(mark(of: location))])
        for row in 0..<(found?.rowCount ?? 0) {
            guard let name = found?.text(row, 0) else { continue }
            // A schema that cannot be removed, since another role created it, does no harm.
            _ = try? connection.query(TemporarySchema(name: name).removal.sql)
        }
    }

    private static func mark(of location: PostgresLocation) -> String {
        "OpenCoreData: what the store in the schema '\(location.schema)' is migrated to"
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
