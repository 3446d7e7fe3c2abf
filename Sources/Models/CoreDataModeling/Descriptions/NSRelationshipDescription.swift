import CoreDataFoundation

/// A relationship of an entity: the objects of another entity that an object points at.
///
/// Destination and inverse are weak references: the model owns its entities, and they point at each other.
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
    /// The entity of the objects at the other end.
    open var destinationEntity: NSEntityDescription? {
        get { destination?.object }
        set {
            requireMutable()
            destination = newValue?.zeroingReference
        }
    }
    private var destination: ZeroingReference<NSEntityDescription>?

    /// What leads back to the relationship.
    private let zeroingReference = ZeroingReference<NSRelationshipDescription>()

    /// Makes a relationship without a name that leads nowhere.
    public required init() {
        super.init()
        zeroingReference.point(to: self)
    }

    deinit { zeroingReference.empty() }

    /// The relationship that leads back; setting it sets the pair.
    ///
    /// The other relationship names this one from there on, and the one that led back before names none. Apple's framework
    /// wants each side set; doing so here too changes nothing. A relationship of a model in use is left as it is.
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

    /// The relationship that leads back, as it stands; setting it leaves the other side alone.
    final package var linkedInverse: NSRelationshipDescription? {
        get { inverse?.object }
        set {
            requireMutable()
            inverse = newValue?.zeroingReference
        }
    }
    private var inverse: ZeroingReference<NSRelationshipDescription>?

    /// The inverse where the two name each other: what is stored for one then stands for both.
    ///
    /// Apple's model compiler also accepts an inverse that names another relationship, or none. A change of this one is
    /// then passed on to the inverse, but not back, and each is stored separately.
    final package var mutualInverse: NSRelationshipDescription? {
        linkedInverse.flatMap { $0.linkedInverse === self ? $0 : nil }
    }

    /// The mutual inverse where no third relationship is passed on to either of the two: then both always say the same.
    final package var answeringInverse: NSRelationshipDescription? {
        mutualInverse.flatMap { isThirdsInverse || $0.isThirdsInverse ? nil : $0 }
    }

    /// Whether a relationship other than the inverse names this one as its own.
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
        copy.linkedInverse = linkedInverse
        copy.maxCount = maxCount
        copy.minCount = minCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
    }

    /// Destination and inverse count by their names, so that entities that lead to each other are compared in one pass.
    override func hasSameContent(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSRelationshipDescription else { return false }
        return super.hasSameContent(as: other) && destinationEntity?.name == other.destinationEntity?.name
            && inverseRelationship?.name == other.inverseRelationship?.name && maxCount == other.maxCount
            && minCount == other.minCount && deleteRule == other.deleteRule && isOrdered == other.isOrdered
    }
}
