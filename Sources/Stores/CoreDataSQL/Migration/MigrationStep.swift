import CoreDataStore

/// One statement of a migration within a database, and what it is for.
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
        /// A query for values that are there twice though they are to be unique; its first row tells how many.
        case checkUnique = "check constraint"
        /// A query for rows without a value that is required; its first row tells how many.
        case checkRequired = "check values"
        /// A query for numbers that do not fit their new type; each row has their number in all, a key and the number of
        /// the entity.
        case checkNumbers = "check numbers"
        case createIndex = "create index"
        case createTrigger = "create trigger"
        case bookkeeping
    }

    package let kind: Kind
    /// The entity, the relationship as `Entity.relationship`, or the table that the step is about.
    package let subject: String
    package let text: SQLText
    /// The table whose rows the step reads or writes, by the name of before; nil where their number plays no part.
    package let rowsOf: String?
    /// Of a check: the properties that it is about.
    package let properties: [String]
    /// Of a check of numbers: what they become, and the names of the entities by the numbers of before.
    package let numbers: NumberCheck?

    /// What is to be known of numbers that are checked.
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

    /// Whether the step only asks whether the migration is possible.
    package var isCheck: Bool { kind == .checkUnique || kind == .checkRequired || kind == .checkNumbers }

    init(_ kind: Kind, subject: String, sql: String, rowsOf: String? = nil) {
        self.init(kind, subject: subject, text: SQLText(sql), rowsOf: rowsOf)
    }
}
