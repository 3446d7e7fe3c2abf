import CoreDataSQL
import PostgresKit

/// A model's tables in a schema of a PostgreSQL database: those of the SQLite store, with the server's types.
///
/// The names are Apple's. Plain ones stand without quotes, so the server has them in small letters: `zhero`, `z_pk`.
/// `Docs/PostgreSQL.md` describes them for who reads them with `psql`.
struct PostgresSchema: Sendable {
    let name: String
    let store: StoreSchema
    private(set) var types: ColumnTypes
    /// The indexes over expressions by which queries look up.
    private(set) var usedIndexes: [IndexDefinition] = []
    let dialect: SQLDialect
    /// The columns of texts and of data of any length, by their tables.
    let longColumns: [String: [String: ColumnType]]

    init(_ schema: StoreSchema, in name: String) {
        self.name = name
        store = schema.shortened(to: PostgresLocation.longestName).withFoldedIndexes
        types = ColumnTypes(store)
        longColumns = store.longColumns
        dialect = .postgres(schema: name)
    }

    /// The schema of a database that has some of the indexes over expressions, by which queries then look up.
    func using(_ indexes: [IndexDefinition]) -> PostgresSchema {
        var schema = self
        schema.usedIndexes = indexes
        schema.types = ColumnTypes(store, indexes: indexes)
        return schema
    }

    /// A table of the schema as it stands in SQL.
    func table(_ name: String) -> String { dialect.table(name) }

    /// The statements that make an empty store.
    var creationStatements: [String] { tableStatements + indexStatements }

    /// The statements that make the indexes and uniqueness constraints of existing tables.
    var indexStatements: [String] { store.indexes.map(creation) }

    /// The statements that make the tables, which are as fast to fill as they can be.
    var tableStatements: [String] {
        ["CREATE SCHEMA IF NOT EXISTS \(dialect.namespace.dropLast())"] + store.tables.map(creation) + storages
            + [
                "CREATE TABLE \(table("Z_PRIMARYKEY")) "
                    + "(Z_ENT bigint PRIMARY KEY, Z_NAME text COLLATE \"C\", Z_SUPER bigint, Z_MAX bigint)",
                "CREATE TABLE \(table("Z_METADATA")) "
                    + "(Z_VERSION bigint PRIMARY KEY, Z_UUID text COLLATE \"C\", Z_PLIST bytea, "
                    + "\(StoreEpoch.make().column ?? "") boolean)",
                "CREATE TABLE \(table("Z_MODELCACHE")) (Z_CONTENT bytea)",
                "CREATE TABLE \(table("Z_MARKER")) "
                    + "(Z_WRITER text COLLATE \"C\" PRIMARY KEY, Z_SAVE bigint, Z_FENCE bigint, Z_TIME timestamptz)",
            ]
    }

    /// Stores large values without compression, so that the server reads only the parts that a query requests.
    private var storages: [String] {
        var seen: Set<[String]> = []
        return store.entities.flatMap { entity in
            entity.attributes.filter(\.allowsExternalStorage).map { [entity.table, $0.column] }
        }.filter { seen.insert($0).inserted }.map {
            "ALTER TABLE \(table($0[0])) ALTER COLUMN \(SQLIdentifier.quoted($0[1])) SET STORAGE EXTERNAL"
        }
    }

    /// Adds a row of `Z_PRIMARYKEY`.
    func insertion(_ row: StoreSchema.PrimaryKeyRow) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO \(table("Z_PRIMARYKEY")) (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
                + "VALUES ($1::int8, $2::text, $3::int8, $4::int8)",
            [
                .integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber)),
                .integer(row.greatestKey),
            ])
    }

    /// Adds the model that the store carries.
    func insertion(model: Data) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO \(table("Z_MODELCACHE")) (Z_CONTENT) VALUES ($1::bytea)", [.bytes([UInt8](model))])
    }

    /// The statement that makes a table.
    func creation(_ table: TableDefinition) -> String {
        var parts = table.columns.map { column in
            "\(SQLIdentifier.quoted(column.name)) \(Self.type(column.type))"
                + (column.isPrimaryKey ? " PRIMARY KEY" : "")
        }
        if !table.keyColumns.isEmpty {
            parts.append("PRIMARY KEY (" + table.keyColumns.map(SQLIdentifier.quoted).joined(separator: ", ") + ")")
        }
        return "CREATE TABLE \(self.table(table.name)) (\(parts.joined(separator: ", ")))"
    }

    /// The name of an index as it stands in SQL.
    static func indexName(_ name: String) -> String {
        SQLIdentifier.quoted(StoreSchema.shortened(name, to: PostgresLocation.longestName))
    }

    /// Texts compare byte by byte, as in memory, whatever the locale of the database.
    static func type(_ type: ColumnType) -> String {
        switch type {
        case .integer: "bigint"
        case .timestamp, .float: "double precision"
        case .decimal: "numeric"
        case .varchar: "text COLLATE \"C\""
        case .blob: "bytea"
        }
    }
}
