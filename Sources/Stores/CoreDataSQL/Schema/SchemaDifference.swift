/// One point in which a database is not what the model calls for.
package enum SchemaDifference: Sendable, Equatable {
    /// The table of an entity, or of a many-to-many relationship (`Entity.relationship`), is not there.
    case missingTable(String, of: String)
    /// A column is not there; `of` names the entity, or the relationship of a join table.
    case missingColumn(String, table: String, of: String)
    /// A table of rows with `Z_PK` has a key that SQLite does not know as the row's number: its rows are not found by it.
    case otherKey(table: String)
    /// An entity is recorded under another number, so its rows would be taken for another entity's.
    case otherNumber(entity: String, expected: Int, found: Int)
    /// An entity's number is recorded with a name that the model does not know: a migration that renames an entity
    /// leaves the old name behind.
    case formerName(entity: String, recorded: String)
    /// An entity of the model is not recorded, nor is its number.
    case unrecordedEntity(String)
    /// A table that the model does not call for; it is left as it is.
    case extraTable(String)
    /// A column that the model does not call for; it is left as it is.
    case extraColumn(String, table: String)

    /// Whether the store can be used in spite of it.
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
