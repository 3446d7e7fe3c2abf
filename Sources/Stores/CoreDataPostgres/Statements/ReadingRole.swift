import CoreDataSQL
import PostgresKit

/// Checks that a role can only read, so that it can execute SQL statements written by people.
///
/// A read-only transaction alone is not sufficient, since functions can do more than read. A role without grants is.
enum ReadingRole {
    /// The server's predefined roles whose members may do more than read tables.
    private static let powers = [
        "pg_write_all_data", "pg_write_server_files", "pg_read_server_files", "pg_execute_server_program",
        "pg_signal_backend", "pg_checkpoint", "pg_database_owner", "pg_create_subscription", "pg_maintain",
    ]

    /// - Throws: `StatementError` with the code `off` if the connection's role, or one that it can assume, can write.
    static func require(_ connection: PostgresConnection, _ location: PostgresLocation) throws {
        let names = powers.map { "'\($0)'" }.joined(separator: ", ")
        let result = try connection.query(
            "WITH roles AS MATERIALIZED (SELECT oid, rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication "
                + "OR rolname IN (\(names)) AS ispower FROM pg_catalog.pg_roles "
                + "WHERE pg_has_role(session_user, oid, 'MEMBER')) "
                + "SELECT session_user::text, (SELECT min(rolname::text) FROM roles WHERE ispower), "
                + "(SELECT min(n.nspname || '.' || c.relname) FROM pg_catalog.pg_class c "
                + "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace CROSS JOIN roles r "
                + "WHERE NOT r.ispower AND c.relkind IN ('r', 'p', 'v', 'f', 'm') "
                + "AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_' "
                + "AND (has_table_privilege(r.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') "
                + "OR has_any_column_privilege(r.oid, c.oid, 'INSERT, UPDATE')))")
        let role = result.text(0, 0) ?? ""
        if let power = result.text(0, 1) {
            throw off(
                role, what: power == role ? "may do more than read tables" : "is a member of '\(power)'",
                location: location)
        }
        if let table = result.text(0, 2) {
            throw off(role, what: "may write to the table \(table)", location: location)
        }
    }

    private static func off(_ role: String, what: String, location: PostgresLocation) -> StatementError {
        let schema = SQLIdentifier.quoted(location.schema)
        return StatementError(
            .off,
            "statements are only carried out as a role that cannot write, and '\(PrintableText.line(role))' \(PrintableText.line(what))",
            hint: "CREATE ROLE coredata_reader LOGIN; GRANT USAGE ON SCHEMA \(schema) TO coredata_reader; "
                + "GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO coredata_reader; then add sqlrole=coredata_reader to the URL"
        )
    }
}
