import CoreDataStore

/// The table in which migrations preserve values that the new model lacks, so that migrating back loses nothing.
///
/// | column | content |
/// |---|---|
/// | `ENTITY` | the canonical name of the entity: its renaming identifier, or its name if it has none |
/// | `ROWKEY` | the row's `Z_PK` |
/// | `PROPERTY` | the canonical property name, composite elements after dots; empty for a removed entity's row |
/// | `MEMBERKEY` | the key of a member of a to-many relationship; 0 for other properties |
/// | `VALUE` | the column's value, the key of a to-one relationship, a member's position, or `Z_OPT` of a row |
package enum KeptValueTable {
    package static let name = "OpenCoreDataKeptValues"
    package static let definition =
        "CREATE TABLE IF NOT EXISTS \(name) ( ENTITY TEXT, ROWKEY INTEGER, PROPERTY TEXT, MEMBERKEY INTEGER, VALUE, "
        + "PRIMARY KEY (ENTITY, PROPERTY, ROWKEY, MEMBERKEY) ) WITHOUT ROWID"
    /// The value of `PROPERTY` that stands for a row of a removed entity.
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
