import CoreDataFoundation

/// A relationship of an entity: the objects of another entity that an object points at.
///
/// Destination and inverse are held weakly: the model owns its entities, and they point at each other.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    /// The entity of the objects at the other end.
    open weak var destinationEntity: NSEntityDescription? { willSet { requireMutable() } }

    /// The relationship that leads back.
    open weak var inverseRelationship: NSRelationshipDescription? { willSet { requireMutable() } }

    /// The greatest number of objects at the other end: 1 for a to-one relationship, 0 for no limit; 1 at first.
    open var maxCount = 1 { willSet { requireMutable() } }

    /// The least number of objects at the other end; 0 at first.
    open var minCount = 0 { willSet { requireMutable() } }

    /// What a deletion does to the objects at the other end; nullify at first.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { requireMutable() } }

    /// Whether the objects of a to-many relationship have an order; false at first.
    open var isOrdered = false { willSet { requireMutable() } }

    /// Whether there may be several objects at the other end: whether `maxCount` is not 1.
    open var isToMany: Bool { maxCount != 1 }

    override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        copy.destinationEntity = destinationEntity
        copy.inverseRelationship = inverseRelationship
        copy.maxCount = maxCount
        copy.minCount = minCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
    }
}
