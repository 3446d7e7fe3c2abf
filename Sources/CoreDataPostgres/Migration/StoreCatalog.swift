import CoreDataSQL
import PostgresKit

/// What a migration has to know of a store's schema beyond its tables.
struct StoreCatalog {
    private let connection: PostgresConnection
    private let schema: String

    init(_ connection: PostgresConnection, _ schema: String) {
        self.connection = connection
        self.schema = schema
    }

    /// The indexes that the store has and its model calls for; others stay as long as their columns do.
    func indexes(of old: PostgresSchema) throws -> [SchemaMigration.ExistingItem] {
        let result = try connection.query(
            "SELECT i.relname FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid "
                + "JOIN pg_catalog.pg_namespace n ON n.oid = i.relnamespace WHERE n.nspname = $1::text",
            [.text(schema)])
        let present = Set((0..<result.rowCount).compactMap { result.text($0, 0) })
        return old.store.indexes.compactMap { index in
            let name = StoreSchema.shortened(index.name, to: PostgresLocation.longestName)
            guard present.contains(StoreOpening.serverName(name)) else { return nil }
            return SchemaMigration.ExistingItem(
                name: index.name, table: index.table, sql: old.creation(index), isConstraint: index.isUnique)
        }
    }

    /// The properties of which an earlier migration has kept values.
    func keptValues(_ old: PostgresSchema) throws -> Set<KeptValueTable.Item> {
        let table = old.table(KeptValueTable.name)
        let found = try connection.query("SELECT to_regclass($1::text) IS NOT NULL", [.text(table)])
        guard found.int64(0, 0) == 1 else { return [] }
        let rows = try connection.query("SELECT DISTINCT ENTITY, PROPERTY FROM \(table) LIMIT 100000")
        return Set(
            (0..<rows.rowCount).compactMap { row in
                rows.text(row, 0).flatMap { entity in rows.text(row, 1).map { .init(entity: entity, property: $0) } }
            })
    }
}
