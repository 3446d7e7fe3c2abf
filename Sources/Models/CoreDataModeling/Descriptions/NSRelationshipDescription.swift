import CoreDataFoundation

/// A relationship of an entity to objects of another entity or of the same one.
///
/// Destination and inverse are weak references: the model owns its entities, which refer to each other in cycles.
///
/// ```swift
/// let orders = NSRelationshipDescription()
/// orders.name = "orders"
/// orders.destinationEntity = orderEntity
/// orders.maxCount = 0  // to many
/// orders.deleteRule = .cascadeDeleteRule
/// let customer = NSRelationshipDescription()
/// customer.name = "customer"
/// customer.destinationEntity = customerEntity
/// (orders.inverseRelationship, customer.inverseRelationship) = (customer, orders)
/// ```
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    /// The entity of the related objects.
    open var destinationEntity: NSEntityDescription? {
        get { destination?.object }
        set {
            requireMutable()
            destination = newValue?.zeroingReference
        }
    }
    private var destination: ZeroingReference<NSEntityDescription>?

    /// The weak reference to the relationship that inverses share.
    private let zeroingReference = ZeroingReference<NSRelationshipDescription>()

    /// Makes a relationship without a name and a destination.
    public required init() {
        super.init()
        zeroingReference.point(to: self)
    }

    deinit { zeroingReference.empty() }

    /// The inverse relationship; setting it also sets this relationship as the inverse's inverse.
    ///
    /// The former inverses of both relationships get nil as their inverse. In Apple's framework both sides must be set,
    /// which here has the same result. Other relationships of a frozen model are not changed.
    open var inverseRelationship: NSRelationshipDescription? {
        get { linkedInverse }
        set {
            let former = linkedInverse
            linkedInverse = newValue
            if let former, former !== newValue, former.linkedInverse === self, !former.isFrozen {
                former.linkedInverse = nil
            }
            guard let newValue, newValue.linkedInverse !== self, !newValue.isFrozen else { return }
            if let left = newValue.linkedInverse, left.linkedInverse === newValue, !left.isFrozen {
                left.linkedInverse = nil
            }
            newValue.linkedInverse = self
        }
    }

    /// The inverse relationship; setting it does not change the other relationship.
    final package var linkedInverse: NSRelationshipDescription? {
        get { inverse?.object }
        set {
            requireMutable()
            inverse = newValue?.zeroingReference
        }
    }
    private var inverse: ZeroingReference<NSRelationshipDescription>?

    /// The inverse, if its inverse is this relationship: then what is stored for one is the value of both.
    ///
    /// Apple's model compiler also accepts an inverse that names another relationship, or none, as its own inverse. A
    /// change of this relationship then also changes the inverse, but not the other way around, and each is stored
    /// separately.
    final package var mutualInverse: NSRelationshipDescription? {
        linkedInverse.flatMap { $0.linkedInverse === self ? $0 : nil }
    }

    /// The mutual inverse, unless a third relationship names one of the two as its inverse: the two are then always
    /// consistent.
    final package var answeringInverse: NSRelationshipDescription? {
        mutualInverse.flatMap { isThirdsInverse || $0.isThirdsInverse ? nil : $0 }
    }

    /// Whether a relationship other than the inverse names this one as its inverse.
    private var isThirdsInverse: Bool {
        guard let destination = destinationEntity else { return false }
        let ancestors = sequence(first: destination) { $0.superentity }
        var entities = Array(ancestors) + destination.subentities
        var next = destination.subentities.count
        while next > 0 {
            let below = entities.suffix(next).flatMap(\.subentities)
            entities += below
            next = below.count
        }
        return entities.contains { entity in
            entity.relationshipsByName.values.contains { $0.linkedInverse === self && $0 !== linkedInverse }
        }
    }

    /// The largest number of related objects: 1 for a to-one relationship, 0 for no limit; 1 by default.
    open var maxCount = 1 { willSet { requireMutable() } }

    /// The smallest number of related objects; 0 by default.
    open var minCount = 0 { willSet { requireMutable() } }

    /// What deleting an object does to the related objects; nullify by default.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { requireMutable() } }

    /// Whether the objects of a to-many relationship have an order; false by default.
    open var isOrdered = false { willSet { requireMutable() } }

    /// Whether there may be several related objects: whether `maxCount` is not 1.
    open var isToMany: Bool { maxCount != 1 }

    override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        copy.destinationEntity = destinationEntity
        copy.linkedInverse = linkedInverse
        copy.maxCount = maxCount
        copy.minCount = minCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
    }

    /// Compares destination and inverse by their names only, so that entities in a cycle are compared in one pass.
    override func hasSameContent(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSRelationshipDescription else { return false }
        return super.hasSameContent(as: other) && destinationEntity?.name == other.destinationEntity?.name
            && inverseRelationship?.name == other.inverseRelationship?.name && maxCount == other.maxCount
            && minCount == other.minCount && deleteRule == other.deleteRule && isOrdered == other.isOrdered
    }
}
