import CoreDataSQL
import PostgresKit

/// The progress of an unfinished copy, in a table of its schema that is dropped when the copy is complete.
struct SchemaCopyRecord {
    let origin: CopyOrigin
    let place: CopyPlace

    static func creation(_ schema: PostgresSchema) -> String {
        let columns = UnfinishedCopy.columns.map { $0 + " text COLLATE \"C\"" }
        return "CREATE TABLE \(schema.table(UnfinishedCopy.table)) (\(columns.joined(separator: ", ")))"
    }

    /// Reads the record of a schema; nil if the schema is not an unfinished copy.
    static func read(_ connection: PostgresConnection, _ schema: PostgresSchema) throws -> SchemaCopyRecord? {
        let found = try connection.query(
            "SELECT 1::int8 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND c.relname = 'z_copy' AND c.relkind = 'r'", [.text(schema.name)])
        guard found.rowCount > 0 else { return nil }
        let row = try connection.query(
            "SELECT \(UnfinishedCopy.columns.joined(separator: ", ")) FROM \(schema.table(UnfinishedCopy.table)) LIMIT 1"
        )
        guard row.rowCount == 1, let name = row.text(0, 0), let state = row.text(0, 1),
            let place = row.text(0, 2).flatMap(CopyPlace.init)
        else { return nil }
        return SchemaCopyRecord(origin: CopyOrigin(name: name, state: state), place: place)
    }

    func insertion(_ schema: PostgresSchema) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO \(schema.table(UnfinishedCopy.table)) VALUES ($1::text, $2::text, $3::text)",
            [.text(origin.name), .text(origin.state), .text(place.text)])
    }

    static func update(_ place: CopyPlace, _ schema: PostgresSchema) -> PostgresStatement {
        PostgresStatement("UPDATE \(schema.table(UnfinishedCopy.table)) SET Z_PLACE = $1::text", [.text(place.text)])
    }
}
