import CoreData

/// The meaning of a column of a store's table: Core Data's bookkeeping, or the property of the model that it stores.
package struct SQLColumnMeaning: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The object's number, `Z_PK`.
        case key
        /// The number of the object's entity, `Z_ENT`.
        case entityNumber
        /// The object's version, which each save of a change increments, `Z_OPT`.
        case version
        case attribute
        /// The key of the object that a relationship leads to.
        case relationship
        /// The entity number of the object that a relationship leads to.
        case relationshipEntity
        /// The place of an object in an ordered relationship.
        case order
    }

    package let kind: Kind
    package var entity: String?
    /// The property's name; for an element of a composite attribute its path, such as `address.city`.
    package var property: String?
    /// Whether the column stores dates, as seconds since 2001-01-01 00:00:00 UTC.
    package var isDate = false
}
