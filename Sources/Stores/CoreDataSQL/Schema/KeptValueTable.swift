import CoreDataStore

/// The table in which migrations preserve values that the new model has no place for, so that migrating back loses nothing.
///
/// | column | what |
/// |---|---|
/// | `ENTITY` | the canonical name of the entity: its renaming identifier, or its name without one |
/// | `ROWKEY` | the row's `Z_PK` |
/// | `PROPERTY` | that of the property, elements of composites after dots; empty for the row of an entity that was removed |
/// | `MEMBERKEY` | the key of a member of a to-many relationship; 0 for anything else |
/// | `VALUE` | the value as its column had it, the key of a to-one relationship, the place of a member, `Z_OPT` of a row |
package enum KeptValueTable {
    package static let name = "OpenCoreDataKeptValues"
    package static let definition =
        "CREATE TABLE IF NOT EXISTS \(name) ( ENTITY TEXT, ROWKEY INTEGER, PROPERTY TEXT, MEMBERKEY INTEGER, VALUE, "
        + "PRIMARY KEY (ENTITY, PROPERTY, ROWKEY, MEMBERKEY) ) WITHOUT ROWID"
    /// The value of `PROPERTY` for a complete row.
    static let wholeRow = ""

    /// A property whose values are preserved.
    package struct Item: Hashable, Sendable {
        package let entity: String
        package let property: String

        package init(entity: String, property: String) {
            self.entity = entity
            self.property = property
        }
    }
}
