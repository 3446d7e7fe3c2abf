/// A difference between a database and the schema that the model requires.
package enum SchemaDifference: Sendable, Equatable {
    /// The table of an entity, or of a many-to-many relationship (`Entity.relationship`), is missing.
    case missingTable(String, of: String)
    /// A column is missing; `of` is the entity, or the relationship of a join table.
    case missingColumn(String, table: String, of: String)
    /// `Z_PK` of a table is not its INTEGER PRIMARY KEY (rowid), so that rows are not found by it.
    case otherKey(table: String)
    /// An entity is recorded with another number, so that its rows would be taken for those of another entity.
    case otherNumber(entity: String, expected: Int, found: Int)
    /// An entity's number is recorded with a name that the model lacks: a migration that renames an entity leaves the
    /// old name in the record.
    case formerName(entity: String, recorded: String)
    /// Neither an entity of the model nor its number is recorded.
    case unrecordedEntity(String)
    /// The database has a table that the model does not require; it is left unchanged.
    case extraTable(String)
    /// The database has a column that the model does not require; it is left unchanged.
    case extraColumn(String, table: String)

    /// Whether the store can be used despite the difference.
    package var isHarmless: Bool {
        switch self {
        case .extraTable, .extraColumn, .formerName: true
        default: false
        }
    }

    /// The difference as a sentence.
    package var sentence: String {
        switch self {
        case .missingTable(let table, let owner): "The table \(table) of \(owner) is missing."
        case .missingColumn(let column, let table, let owner):
            "The column \(column) of the table \(table) (\(owner)) is missing."
        case .otherKey(let table):
            "The column Z_PK of the table \(table) is not declared as its primary key, so that rows cannot be told apart."
        case .otherNumber(let entity, let expected, let found):
            "The entity \(entity) is recorded under number \(found) instead of \(expected)."
        case .formerName(let entity, let recorded):
            "The entity \(entity) is recorded under its former name \(recorded)."
        case .unrecordedEntity(let entity): "The entity \(entity) is not recorded in Z_PRIMARYKEY."
        case .extraTable(let table): "The model does not know the table \(table)."
        case .extraColumn(let column, let table): "The model does not know the column \(column) of the table \(table)."
        }
    }
}
