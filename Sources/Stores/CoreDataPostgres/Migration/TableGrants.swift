import CoreDataSQL
import PostgresKit

/// The privileges of roles on a store's tables, to be granted on the tables that a migration creates.
///
/// A table that replaces another gets that table's grants; an additional one gets the grants that all old tables have
/// in common, so that a role that may read or write the complete store still may. Tables that are changed in place keep
/// theirs.
struct TableGrants {
    private struct Grant: Hashable {
        let role: String
        let privilege: String
        let isGrantable: Bool

        func statement(_ table: String) -> String {
            let target = role.isEmpty ? "PUBLIC" : SQLIdentifier.alwaysQuoted(role)
            return "GRANT \(privilege) ON \(table) TO \(target)" + (isGrantable ? " WITH GRANT OPTION" : "")
        }
    }

    private static let privileges: Set<String> = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN",
    ]

    /// By the table's name on the server.
    private let grants: [String: Set<Grant>]
    private let common: Set<Grant>
    private let identities: [String: Int64]

    /// Reads the grants of the old tables.
    init(of old: PostgresSchema, _ connection: PostgresConnection) throws {
        identities = try Self.identities(of: old.name, connection)
        let result = try connection.query(
            "SELECT c.relname, coalesce(r.rolname, ''), g.privilege_type, g.is_grantable FROM pg_catalog.pg_class c "
                + "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace CROSS JOIN LATERAL aclexplode(c.relacl) g "
                + "LEFT JOIN pg_catalog.pg_roles r ON r.oid = g.grantee "
                + "WHERE n.nspname = $1::text AND c.relkind = 'r' AND g.grantee <> c.relowner", [.text(old.name)])
        var grants: [String: Set<Grant>] = [:]
        for row in 0..<result.rowCount {
            guard let table = result.text(row, 0), let role = result.text(row, 1), let privilege = result.text(row, 2),
                Self.privileges.contains(privilege)
            else { continue }
            let grant = Grant(role: role, privilege: privilege, isGrantable: result.int64(row, 3) == 1)
            grants[table, default: []].insert(grant)
        }
        self.grants = grants
        let all = old.store.tables.map { grants[PostgresStoreOpening.serverName($0.name)] ?? [] }
        common = all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
    }

    /// Grants the privileges on the tables that were created since.
    func apply(to new: PostgresSchema, _ connection: PostgresConnection) throws {
        let present = try Self.identities(of: new.name, connection)
        var statements: [PostgresStatement] = []
        for table in new.store.tables.map(\.name) + [KeptValueTable.name] {
            let name = PostgresStoreOpening.serverName(table)
            guard let identity = present[name], !identities.values.contains(identity) else { continue }
            for grant in grants[name] ?? common {
                statements.append(PostgresStatement(grant.statement(new.table(table))))
            }
        }
        _ = try connection.pipeline(statements)
    }

    private static func identities(of schema: String, _ connection: PostgresConnection) throws -> [String: Int64] {
        let result = try connection.query(
            "SELECT c.relname, c.oid::int8 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n "
                + "ON n.oid = c.relnamespace WHERE n.nspname = $1::text AND c.relkind = 'r'", [.text(schema)])
        var identities: [String: Int64] = [:]
        for row in 0..<result.rowCount { identities[result.text(row, 0) ?? ""] = result.int64(row, 1) }
        return identities
    }
}
