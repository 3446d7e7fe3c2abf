import CoreDataSQL
import PostgresKit

/// What a migration must know about a store's schema besides its tables.
struct StoreCatalog {
    private let connection: PostgresConnection
    private let schema: String

    init(_ connection: PostgresConnection, _ schema: String) {
        self.connection = connection
        self.schema = schema
    }

    /// Returns the existing indexes of the old model; other indexes stay as long as their columns do.
    ///
    /// Also returns existing folded text indexes of the new model: indexes are not part of a model's version, so a
    /// program that opened the store may have created them already.
    func indexes(of old: PostgresSchema, for new: PostgresSchema) throws -> [SchemaMigration.ExistingItem] {
        let result = try connection.query(
            "SELECT i.relname, (x.indexprs IS NOT NULL)::int4 FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid "
                + "JOIN pg_catalog.pg_namespace n ON n.oid = i.relnamespace WHERE n.nspname = $1::text",
            [.text(schema)])
        let present = Dictionary(
            (0..<result.rowCount).compactMap { row in result.text(row, 0).map { ($0, result.int64(row, 1) == 1) } },
            uniquingKeysWith: { first, _ in first })
        let overExpressions = Set(old.expressionIndexes.map(\.name))
        let known = Set(old.store.indexes.map { PostgresStoreOpening.serverName($0) })
        let others = new.store.indexes.filter { index in
            let name = PostgresStoreOpening.serverName(index)
            return index.isFolded && !known.contains(name) && present[name] != nil
        }.map { SchemaMigration.ExistingItem(name: $0.name, table: $0.table, sql: "") }
        return others
            + old.store.indexes.compactMap { index in
                guard let isOverExpressions = present[PostgresStoreOpening.serverName(index)] else { return nil }
                // An index created over columns by an earlier version of this library is created again.
                let isAsCreated = isOverExpressions == overExpressions.contains(index.name)
                return SchemaMigration.ExistingItem(
                    name: index.name, table: index.table, sql: isAsCreated ? old.creation(index) : "",
                    isConstraint: index.isUnique)
            }
    }

    /// Returns the properties whose values an earlier migration has preserved.
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
