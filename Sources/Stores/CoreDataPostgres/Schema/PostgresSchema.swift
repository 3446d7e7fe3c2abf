import CoreDataSQL
import PostgresKit

/// A model's tables in a schema of a PostgreSQL database: the same as in a SQLite store, with the server's types.
///
/// The names are Apple's. Names that need no quotes are not quoted, so the server has them in lower case: `zhero`,
/// `z_pk`. `Docs/PostgreSQL.md` describes the tables for people who use them with `psql`.
struct PostgresSchema: Sendable {
    let name: String
    let store: StoreSchema
    private(set) var types: ColumnTypes
    /// The expression indexes that queries can use.
    private(set) var usedIndexes: [IndexDefinition] = []
    let dialect: SQLDialect
    /// The columns of text and of data of any length, by table.
    let longColumns: [String: [String: ColumnType]]

    init(_ schema: StoreSchema, in name: String) {
        self.name = name
        store = schema.shortened(to: PostgresLocation.longestName).withFoldedIndexes
        types = ColumnTypes(store)
        longColumns = store.longColumns
        dialect = .postgres(schema: name)
    }

    /// Returns the schema for a database that has these expression indexes, so that queries use them.
    func using(_ indexes: [IndexDefinition]) -> PostgresSchema {
        var schema = self
        schema.usedIndexes = indexes
        schema.types = ColumnTypes(store, indexes: indexes)
        return schema
    }

    /// Returns the SQL name of a table of the schema.
    func table(_ name: String) -> String { dialect.table(name) }

    /// The statements that create an empty store.
    var creationStatements: [String] { tableStatements + indexStatements }

    /// The statements that create the indexes and uniqueness constraints of existing tables.
    var indexStatements: [String] { store.indexes.map(creation) }

    /// The statements that create the tables, without indexes, so that the tables can be filled quickly.
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

    /// The statements that turn off compression of large values, so that the server reads only the parts that a query
    /// requests.
    private var storages: [String] {
        var seen: Set<[String]> = []
        return store.entities.flatMap { entity in
            entity.attributes.filter(\.allowsExternalStorage).map { [entity.table, $0.column] }
        }.filter { seen.insert($0).inserted }.map {
            "ALTER TABLE \(table($0[0])) ALTER COLUMN \(SQLIdentifier.quoted($0[1])) SET STORAGE EXTERNAL"
        }
    }

    /// Returns the statement that inserts a row of `Z_PRIMARYKEY`.
    func insertion(_ row: StoreSchema.PrimaryKeyRow) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO \(table("Z_PRIMARYKEY")) (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
                + "VALUES ($1::int8, $2::text, $3::int8, $4::int8)",
            [
                .integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber)),
                .integer(row.greatestKey),
            ])
    }

    /// Returns the statement that inserts the cached model.
    func insertion(model: Data) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO \(table("Z_MODELCACHE")) (Z_CONTENT) VALUES ($1::bytea)", [.bytes([UInt8](model))])
    }

    /// Returns the statement that creates a table.
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

    /// Returns the SQL name of an index.
    static func indexName(_ name: String) -> String {
        SQLIdentifier.quoted(StoreSchema.shortened(name, to: PostgresLocation.longestName))
    }

    /// Returns a column's type. Texts are compared byte by byte, whatever the locale of the database.
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
