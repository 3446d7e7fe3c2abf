import CoreDataSQL

/// The migration statements for PostgreSQL; most of them change only table definitions, without rewriting rows.
///
/// Table names without a schema are resolved by the transaction's `search_path`.
struct PostgresMigrationDialect: MigrationDialect {
    let schema: PostgresSchema

    func name(_ name: String) -> String { StoreSchema.shortened(name, to: PostgresLocation.longestName) }

    func creation(of table: TableDefinition) -> String { schema.creation(table) }

    func creation(of index: IndexDefinition) -> String { schema.creation(index) }

    func removal(of index: SchemaMigration.ExistingItem) -> String {
        let name = PostgresSchema.indexName(index.name)
        guard index.isConstraint else { return "DROP INDEX \(name)" }
        return "ALTER TABLE \(SQLIdentifier.quoted(index.table)) DROP CONSTRAINT \(name)"
    }

    func addition(
        of column: TableDefinition.Column, to table: String, filledWith value: SQLParameter?
    ) -> [String] {
        let start = "ALTER TABLE \(SQLIdentifier.quoted(table))"
        let name = SQLIdentifier.quoted(column.name)
        let addition = "\(start) ADD COLUMN \(name) \(PostgresSchema.type(column.type))"
        guard let value else { return [addition] }
        // The default applies to existing rows without rewriting them; it is dropped, since new rows must not get it.
        return [
            "\(addition) DEFAULT \(Self.literal(value, column.type))", "\(start) ALTER COLUMN \(name) DROP DEFAULT",
        ]
    }

    func bound(_ value: SQLParameter, _ type: ColumnType) -> SQLText {
        switch (type, value) {
        case (.decimal, .null): SQLText("NULL")
        case (.decimal, _): SQLText("CAST(? AS numeric)", [.text(Self.text(value))])
        case (.varchar, .text): SQLText("?", [.text(Self.text(value))])
        case (.float, .integer(let integer)), (.timestamp, .integer(let integer)):
            SQLText("?", [.real(Double(integer))])
        default: SQLText("?", [value])
        }
    }

    func converted(_ value: String, _ conversion: NumberConversion) -> String { conversion.serverValue(value) }

    func misfits(_ value: String, _ conversion: NumberConversion) -> String { conversion.serverMisfit(value) }

    func rule(_ rule: DuplicateRule) -> (verb: String, end: String) {
        func list(_ key: [String]) -> String { key.map(SQLIdentifier.quoted).joined(separator: ", ") }
        return switch rule {
        case .ignoring(let key): ("INSERT", " ON CONFLICT (\(list(key))) DO NOTHING")
        case .replacing(let key, let value):
            ("INSERT", " ON CONFLICT (\(list(key))) DO UPDATE SET \(value) = excluded.\(value)")
        }
    }

    func kept(_ value: String) -> String { "CAST(\(value) AS text)" }

    func restored(_ value: String, _ type: ColumnType) -> String { "CAST(\(value) AS \(Self.castType(type)))" }

    var keptValueTable: String {
        "CREATE TABLE IF NOT EXISTS \(schema.table(KeptValueTable.name)) (ENTITY text COLLATE \"C\", ROWKEY bigint, "
            + "PROPERTY text COLLATE \"C\", MEMBERKEY bigint, VALUE text COLLATE \"C\", "
            + "PRIMARY KEY (ENTITY, PROPERTY, ROWKEY, MEMBERKEY))"
    }

    var greatest: String { "greatest" }

    var fillsColumns: Bool { true }

    var dropsColumns: Bool { true }

    var marksLargeValues: Bool { false }

    var hasTriggers: Bool { false }

    // MARK: Values

    private static func castType(_ type: ColumnType) -> String { type == .varchar ? "text" : PostgresSchema.type(type) }

    /// Returns a value as a literal, since ALTER TABLE accepts no parameters.
    private static func literal(_ value: SQLParameter, _ type: ColumnType) -> String {
        if case .null = value { return "NULL" }
        let quoted = text(value).split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        return "CAST('\(quoted)' AS \(castType(type)))"
    }

    /// Returns the text form in which the server reads a value.
    private static func text(_ value: SQLParameter) -> String {
        switch value {
        case .null: ""
        case .integer(let integer): String(integer)
        case .real(let real): real.isInfinite ? (real < 0 ? "-Infinity" : "Infinity") : "\(real)"
        case .text(let text): String(decoding: EscapedText.escaped(text.utf8), as: UTF8.self)
        case .blob(let data):
            "\\x" + data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
    }
}
