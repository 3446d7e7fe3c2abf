import CoreDataSQL
import PostgresKit

/// The indexes of folded texts that a store has, and those that it is given when it is opened.
///
/// Stores that were made before there were such indexes, or before the model had one, get them from whoever opens them for
/// writing and owns the tables, where that is quickly done. Else they work as before, and `coredata explain` says what is missing.
struct FoldedIndexes {
    /// The largest table of which an index is made in passing, in bytes: more would keep others from writing for long.
    private static let largestTable: Int64 = 16 << 20

    private let schema: PostgresSchema
    private let connection: PostgresConnection
    private let location: PostgresLocation

    init(_ schema: PostgresSchema, _ connection: PostgresConnection, _ location: PostgresLocation) {
        self.schema = schema
        self.connection = connection
        self.location = location
    }

    /// The schema with the indexes that are there, after making those that can be.
    func prepared(isReadOnly: Bool) throws -> PostgresSchema {
        let wanted = schema.store.foldedIndexes
        guard !wanted.isEmpty else { return schema }
        var present = try names()
        let missing = wanted.filter { !present.contains(serverName($0)) }
        if !isReadOnly, !missing.isEmpty, try make(missing) { present = try names() }
        return schema.using(foldedIndexes: wanted.filter { present.contains(serverName($0)) })
    }

    private func serverName(_ index: IndexDefinition) -> String {
        StoreOpening.serverName(StoreSchema.shortened(index.name, to: PostgresLocation.longestName))
    }

    private func names() throws -> Set<String> {
        let result = try connection.query(
            "SELECT i.relname FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid "
                + "JOIN pg_catalog.pg_namespace n ON n.oid = i.relnamespace "
                + "WHERE n.nspname = $1::text AND x.indisvalid AND x.indexprs IS NOT NULL",
            [.text(schema.name)])
        return Set((0..<result.rowCount).compactMap { result.text($0, 0) })
    }

    /// Makes indexes of small tables that this role owns; false where none was.
    ///
    /// Who cannot have the lock at once, or may not, does without.
    private func make(_ indexes: [IndexDefinition]) throws -> Bool {
        let result = try connection.query(
            "SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND pg_catalog.pg_has_role(c.relowner, 'USAGE') "
                + "AND pg_catalog.has_schema_privilege(n.oid, 'CREATE') "
                + "AND pg_catalog.pg_table_size(c.oid) <= $2::int8 AND NOT pg_catalog.pg_is_in_recovery()",
            [.text(schema.name), .integer(Self.largestTable)])
        let tables = Set((0..<result.rowCount).compactMap { result.text($0, 0) })
        let makeable = indexes.filter { tables.contains(StoreOpening.serverName($0.table)) }
        guard !makeable.isEmpty else { return false }
        do {
            try connection.transaction(
                "BEGIN", [PostgresStatement("SET LOCAL lock_timeout = '1s'"), location.lock(.shape)]
            ) {
                let present = try names()
                let missing = makeable.filter { !present.contains(serverName($0)) }
                if !missing.isEmpty {
                    _ = try connection.pipeline(missing.map { PostgresStatement(schema.creation($0)) })
                }
            }
        } catch let error as PostgresError where !connection.isBroken && error.sqlState != nil {
            return false
        }
        return true
    }
}
