import CoreDataStore

/// The statements of a migration that differ between databases.
package protocol MigrationDialect: Sendable {
    /// Returns a table name in the form that the database allows.
    func name(_ name: String) -> String
    /// Returns the statement that creates a table.
    func creation(of table: TableDefinition) -> String
    /// Returns the statement that creates an index.
    func creation(of index: IndexDefinition) -> String
    /// Returns the statement that drops an index.
    func removal(of index: SchemaMigration.ExistingItem) -> String
    /// Returns the statements that add a column to a table; if `fillsColumns` is true, they set it to `value` in all
    /// rows.
    func addition(of column: TableDefinition.Column, to table: String, filledWith value: SQLParameter?) -> [String]
    /// Returns the SQL for a value of a column, with the value as a parameter.
    func bound(_ value: SQLParameter, _ type: ColumnType) -> SQLText
    /// Returns the SQL that converts a number that fits the new type; null stays null.
    func converted(_ value: String, _ conversion: NumberConversion) -> String
    /// Returns the condition that a number is not null and does not fit the new type; evaluating it never fails.
    func misfits(_ value: String, _ conversion: NumberConversion) -> String
    /// Returns the beginning and the end of an INSERT statement for rows whose keys may exist already.
    func rule(_ rule: DuplicateRule) -> (verb: String, end: String)
    /// Returns the SQL that converts a value to the form of the table of preserved values.
    func kept(_ value: String) -> String
    /// Returns the SQL that converts a preserved value to the form of a column.
    func restored(_ value: String, _ type: ColumnType) -> String
    /// The statement that creates the table of preserved values if it does not exist.
    var keptValueTable: String { get }
    /// The name of the function that returns the greatest of its arguments.
    var greatest: String { get }
    /// Whether adding a column can set it to a value in all rows without rewriting them.
    var fillsColumns: Bool { get }
    /// Whether the database drops columns without rewriting the rows.
    var dropsColumns: Bool { get }
    /// Whether values of attributes that allow external storage begin with a byte that says where they are stored.
    var marksLargeValues: Bool { get }
    /// Whether triggers compute derived attributes.
    var hasTriggers: Bool { get }
}

/// What an insertion does with a row whose key exists already.
package enum DuplicateRule {
    /// Keeps the existing row.
    case ignoring(key: [String])
    /// Sets the column `value` of the existing row to the new value.
    case replacing(key: [String], value: String)
}

/// The dialect of SQLite, for files in the format of Apple's framework.
struct SQLiteMigrationDialect: MigrationDialect {
    func name(_ name: String) -> String { name }

    func creation(of table: TableDefinition) -> String { table.sql }

    func creation(of index: IndexDefinition) -> String { index.sql }

    func removal(of index: SchemaMigration.ExistingItem) -> String { "DROP INDEX \(SQLIdentifier.quoted(index.name))" }

    func addition(
        of column: TableDefinition.Column, to table: String, filledWith value: SQLParameter?
    ) -> [String] {
        let definition = "\(SQLIdentifier.quoted(column.name)) \(column.type.rawValue)"
        return ["ALTER TABLE \(SQLIdentifier.quoted(table)) ADD COLUMN \(definition)"]
    }

    func bound(_ value: SQLParameter, _ type: ColumnType) -> SQLText { .bound(value.kept(in: type)) }

    func converted(_ value: String, _ conversion: NumberConversion) -> String {
        "\(ColumnSource.converting)(\(value), \(conversion.old.rawValue), \(conversion.new.rawValue))"
    }

    func misfits(_ value: String, _ conversion: NumberConversion) -> String {
        "\(value) IS NOT NULL AND \(converted(value, conversion)) IS NULL"
    }

    func rule(_ rule: DuplicateRule) -> (verb: String, end: String) {
        switch rule {
        case .ignoring: ("INSERT OR IGNORE", "")
        case .replacing: ("INSERT OR REPLACE", "")
        }
    }

    func kept(_ value: String) -> String { value }

    func restored(_ value: String, _ type: ColumnType) -> String { value }

    var keptValueTable: String { KeptValueTable.definition }

    var greatest: String { "max" }

    var fillsColumns: Bool { false }

    var dropsColumns: Bool { false }

    var marksLargeValues: Bool { true }

    var hasTriggers: Bool { true }
}
