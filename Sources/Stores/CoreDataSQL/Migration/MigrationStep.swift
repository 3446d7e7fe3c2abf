import CoreDataStore

/// One statement of a migration in a database, and its purpose.
package struct MigrationStep: Sendable, Equatable {
    /// What kind of work a step does; the raw values are what plans print.
    package enum Kind: String, Sendable {
        case dropTrigger = "drop trigger"
        case dropIndex = "drop index"
        case dropTable = "drop table"
        case createTable = "create table"
        case copyRows = "copy rows"
        case renameTable = "rename table"
        case renameColumn = "rename column"
        case addColumn = "add column"
        case dropColumn = "drop column"
        case updateRows = "update rows"
        case deleteRows = "delete rows"
        /// A query for duplicates of values that must be unique; its first row has the number of duplicates.
        case checkUnique = "check constraint"
        /// A query for rows without a required value; its first row has the number of these rows.
        case checkRequired = "check values"
        /// A query for numbers that do not fit their new type; each row has the number of all such values, a row's key
        /// and the row's entity number.
        case checkNumbers = "check numbers"
        case createIndex = "create index"
        case createTrigger = "create trigger"
        case bookkeeping
    }

    package let kind: Kind
    /// The entity, the relationship as `Entity.relationship`, or the table that the step concerns.
    package let subject: String
    package let text: SQLText
    /// The table whose rows the step reads or writes, by its old name; nil if the step's cost does not depend on their
    /// number.
    package let rowsOf: String?
    /// The properties that a check concerns.
    package let properties: [String]
    /// For a check of numbers: their new type, and the names of the entities by their old numbers.
    package let numbers: NumberCheck?

    /// What an error message needs about a check of numbers.
    package struct NumberCheck: Sendable, Equatable {
        package let conversion: NumberConversion
        package let entities: [Int64: String]
    }

    init(
        _ kind: Kind, subject: String, text: SQLText, rowsOf: String? = nil, properties: [String] = [],
        numbers: NumberCheck? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.text = text
        self.rowsOf = rowsOf
        self.properties = properties
        self.numbers = numbers
    }

    /// Whether the step only checks whether the migration is possible.
    package var isCheck: Bool { kind == .checkUnique || kind == .checkRequired || kind == .checkNumbers }

    init(_ kind: Kind, subject: String, sql: String, rowsOf: String? = nil) {
        self.init(kind, subject: subject, text: SQLText(sql), rowsOf: rowsOf)
    }
}
