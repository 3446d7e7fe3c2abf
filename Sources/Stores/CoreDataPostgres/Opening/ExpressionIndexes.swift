import CoreDataSQL
import PostgresKit

/// The expression indexes of a store: folded text indexes, and indexes of texts and data that may be too long for an
/// index.
///
/// A store that lacks such an index, since an earlier version created the store or the model did not have the index
/// yet, gets it when a role that owns the tables opens the store for writing and the tables are small. Otherwise the
/// store works without the index, and `coredata explain` reports that it is missing.
struct ExpressionIndexes {
    /// The maximum size in bytes of a table for which an index is created at opening: a larger one would block writers
    /// for long.
    private static let largestTable: Int64 = 16 << 20

    private let schema: PostgresSchema
    private let connection: PostgresConnection
    private let location: PostgresLocation

    init(_ schema: PostgresSchema, connection: PostgresConnection, location: PostgresLocation) {
        self.schema = schema
        self.connection = connection
        self.location = location
    }

    /// Creates missing indexes of small tables if permitted, and returns the schema with the indexes that exist.
    func prepared(isReadOnly: Bool) throws -> PostgresSchema {
        let wanted = schema.expressionIndexes
        guard !wanted.isEmpty else { return schema }
        var present = try names()
        if !isReadOnly, try make(missing(wanted, present)) { present = try names() }
        return schema.using(wanted.filter { present.overExpressions.contains(PostgresStoreOpening.serverName($0)) })
    }

    /// The names of a schema's valid indexes.
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

    /// Returns the folded text indexes that are missing, and other indexes that exist over columns instead of
    /// expressions.
    private func missing(_ wanted: [IndexDefinition], _ present: Names) -> [IndexDefinition] {
        wanted.filter { index in
            let name = PostgresStoreOpening.serverName(index)
            return index.isFolded ? !present.overExpressions.contains(name) : present.overColumns.contains(name)
        }
    }

    /// Creates indexes of small tables that this role owns; returns false if none was created.
    ///
    /// If the lock is not available quickly, or the role may not create indexes, none is created.
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
