import CoreDataSQL
import PostgresKit

/// The indexes over expressions that a store has, and those that it is given when it is opened: of folded texts, and of texts and data
/// that may be too long for an index.
///
/// Stores that were made before there were such indexes, or before the model had one, get them when they are opened for
/// writing and owns the tables, where that is quickly done. Else they work as before, and `coredata explain` says what is missing.
struct ExpressionIndexes {
    /// The largest table of which an index is made in passing, in bytes: more would keep others from writing for long.
    private static let largestTable: Int64 = 16 << 20

    private let schema: PostgresSchema
    private let connection: PostgresConnection
    private let location: PostgresLocation

    init(_ schema: PostgresSchema, connection: PostgresConnection, location: PostgresLocation) {
        self.schema = schema
        self.connection = connection
        self.location = location
    }

    /// The schema with the indexes that are there, after making those that can be.
    func prepared(isReadOnly: Bool) throws -> PostgresSchema {
        let wanted = schema.expressionIndexes
        guard !wanted.isEmpty else { return schema }
        var present = try names()
        if !isReadOnly, try make(missing(wanted, present)) { present = try names() }
        return schema.using(wanted.filter { present.overExpressions.contains(PostgresStoreOpening.serverName($0)) })
    }

    /// The names of a schema's indexes that can be used.
    private struct Names {
        var overExpressions: Set<String> = []
        var overColumns: Set<String> = []
    }

    private func names() throws -> Names {
        let result = try connection.query(
            "SELECT i.relname, (x.indexprs IS NOT NULL)::int4 FROM pg_catalog.pg_index x "
                + "JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid "
                + "JOIN pg_catalog.pg_namespace n ON n.oid = i.relnamespace WHERE n.nspname = $1::text AND x.indisvalid",
            [.text(schema.name)])
        var names = Names()
        for row in 0..<result.rowCount {
            guard let name = result.text(row, 0) else { continue }
            if result.int64(row, 1) == 1 {
                names.overExpressions.insert(name)
            } else {
                names.overColumns.insert(name)
            }
        }
        return names
    }

    /// Those of folded texts that are not there, and others in whose place one over columns is.
    private func missing(_ wanted: [IndexDefinition], _ present: Names) -> [IndexDefinition] {
        wanted.filter { index in
            let name = PostgresStoreOpening.serverName(index)
            return index.isFolded ? !present.overExpressions.contains(name) : present.overColumns.contains(name)
        }
    }

    /// Makes indexes of small tables that this role owns; false where none was.
    ///
    /// Who cannot have the lock at once, or may not, does without.
    private func make(_ indexes: [IndexDefinition]) throws -> Bool {
        guard !indexes.isEmpty else { return false }
        let result = try connection.query(
            "SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND pg_catalog.pg_has_role(c.relowner, 'USAGE') "
                + "AND pg_catalog.has_schema_privilege(n.oid, 'CREATE') "
                + "AND pg_catalog.pg_table_size(c.oid) <= $2::int8 AND NOT pg_catalog.pg_is_in_recovery()",
            [.text(schema.name), .integer(Self.largestTable)])
        let tables = Set((0..<result.rowCount).compactMap { result.text($0, 0) })
        let makeable = indexes.filter { tables.contains(PostgresStoreOpening.serverName($0.table)) }
        guard !makeable.isEmpty else { return false }
        do {
            try connection.transaction(
                "BEGIN", first: [PostgresStatement("SET LOCAL lock_timeout = '1s'"), location.lock(.shape)]
            ) {
                let statements = missing(makeable, try names()).flatMap {
                    $0.isFolded ? [schema.creation($0)] : schema.replacement($0)
                }
                if !statements.isEmpty { _ = try connection.pipeline(statements.map { PostgresStatement($0) }) }
            }
        } catch let error as PostgresError where !connection.isBroken && error.sqlState != nil {
            return false
        }
        return true
    }
}
