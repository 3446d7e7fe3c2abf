import CoreDataStore

/// Where databases differ in the statements of a migration.
package protocol MigrationDialect: Sendable {
    /// A name of a table as the database can have it.
    func name(_ name: String) -> String
    /// The statement that makes a table.
    func creation(of table: TableDefinition) -> String
    /// The statement that makes an index.
    func creation(of index: IndexDefinition) -> String
    /// The statement that removes an index.
    func removal(of index: SchemaMigration.ExistingItem) -> String
    /// The statements that add a column to a table, whose rows get a value there.
    func addition(of column: TableDefinition.Column, to table: String, filledWith value: SQLParameter?) -> [String]
    /// A value of a column that is bound.
    func bound(_ value: SQLParameter, _ type: ColumnType) -> SQLText
    /// A number as one of another type that it fits; null stays null.
    func converted(_ value: String, _ conversion: NumberConversion) -> String
    /// The condition that a number is there and does not fit another type; it never fails.
    func misfits(_ value: String, _ conversion: NumberConversion) -> String
    /// What begins and ends an insertion of rows of which some may be there.
    func rule(_ rule: DuplicateRule) -> (verb: String, end: String)
    /// A value in the form of the table of preserved values.
    func kept(_ value: String) -> String
    /// A preserved value in the form of a column.
    func restored(_ value: String, _ type: ColumnType) -> String
    /// The statement that makes the table of preserved values if it does not exist.
    var keptValueTable: String { get }
    /// The function that gives the greatest of its arguments.
    var greatest: String { get }
    /// Whether all rows of a table get a value in a new column without being written.
    var fillsColumns: Bool { get }
    /// Whether columns are removed without writing the rows.
    var dropsColumns: Bool { get }
    /// Whether values of attributes that may be stored in files bear a mark.
    var marksLargeValues: Bool { get }
    /// Whether triggers compute derived attributes.
    var hasTriggers: Bool { get }
}

/// What becomes of a row that is inserted though its key is there.
package enum DuplicateRule {
    /// The existing row stays.
    case ignoring(key: [String])
    /// The existing row gets the new value.
    case replacing(key: [String], value: String)
}

/// The statements of SQLite, whose files are those of Apple's framework.
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
