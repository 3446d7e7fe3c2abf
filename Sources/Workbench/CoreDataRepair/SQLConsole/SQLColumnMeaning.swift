import CoreData

/// What a column of a store's table is in the model.
package struct SQLColumnMeaning: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The object's number, `Z_PK`.
        case key
        /// The number of the object's entity, `Z_ENT`.
        case entityNumber
        /// How often the object was saved, `Z_OPT`.
        case version
        case attribute
        /// The key of the object that a relationship leads to.
        case relationship
        /// The number of that object's entity.
        case relationshipEntity
        /// The place of an object in an ordered relationship.
        case order
    }

    package let kind: Kind
    package var entity: String?
    /// The property's name; the element of a composite attribute behind dots.
    package var property: String?
    /// Whether its numbers are seconds since 2001-01-01 in UTC.
    package var isDate = false
}
