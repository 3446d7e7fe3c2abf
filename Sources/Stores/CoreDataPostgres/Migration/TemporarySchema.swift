import CoreDataSQL
import PostgresKit

/// A schema beside that of a store, in which another is made that is to take its place.
///
/// Its name is a random one, and a comment on it says which store it is for. What a killed program has left is removed by the next one that makes
/// a temporary schema for that store. One program at a time does: who has the lock under which the store's tables are changed.
struct TemporarySchema {
    private static let prefix = "opencoredata_"

    let name: String

    /// Makes an empty schema, of which others see nothing but the name.
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

    /// The statement that removes the schema with what is in it.
    var removal: PostgresStatement { PostgresStatement("DROP SCHEMA IF EXISTS \(name) CASCADE") }

    private static func removeAbandoned(of location: PostgresLocation, _ connection: PostgresConnection) {
        let found = try? connection.query(
            "SELECT n.nspname FROM pg_catalog.pg_namespace n WHERE n.nspname ~ '^\(prefix)[0-9a-f]{16}$' "
                + "AND obj_description(n.oid, 'pg_namespace') = $1::text", [.text(mark(of: location))])
        for row in 0..<(found?.rowCount ?? 0) {
            guard let name = found?.text(row, 0) else { continue }
            // One that cannot be removed, as another role made it, takes room and does no harm.
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
