import CoreDataStore

/// The table in which migrations keep what the new model has no place for, so that a way back loses nothing.
///
/// | column | what |
/// |---|---|
/// | `ENTITY` | the canonical name of the entity: its renaming identifier, or its name without one |
/// | `ROWKEY` | the row's `Z_PK` |
/// | `PROPERTY` | that of the property, elements of composites behind dots; empty for the row of an entity that is gone as a whole |
/// | `MEMBERKEY` | the key of a member of a to-many relationship; 0 for anything else |
/// | `VALUE` | the value as its column had it, the key of a to-one relationship, the place of a member, `Z_OPT` of a row |
package enum KeptValueTable {
    package static let name = "OpenCoreDataKeptValues"
    package static let definition =
        "CREATE TABLE IF NOT EXISTS \(name) ( ENTITY TEXT, ROWKEY INTEGER, PROPERTY TEXT, MEMBERKEY INTEGER, VALUE, "
        + "PRIMARY KEY (ENTITY, PROPERTY, ROWKEY, MEMBERKEY) ) WITHOUT ROWID"
    /// What stands in `PROPERTY` for a whole row.
    static let wholeRow = ""

    /// A property of which values are kept.
    package struct Item: Hashable, Sendable {
        package let entity: String
        package let property: String

        package init(entity: String, property: String) {
            self.entity = entity
            self.property = property
        }
    }
}
