import CoreData

/// Determines which relationships an export writes, so that it writes each link once and keeps each order.
///
/// A link could be written with either of its two objects. Of a to-one and a to-many relationship, the to-one is
/// written, since a to-many may have millions of members; of two to-many relationships, the first by the names of
/// entity and relationship. Ordered relationships are always written.
struct LinkChoice {
    /// The entities whose objects are exported.
    let entities: Set<NSEntityDescription>

    /// Whether a relationship is written with the objects that have it.
    func writes(_ relationship: NSRelationshipDescription) -> Bool {
        guard !relationship.isTransient else { return false }
        guard relationship.isToMany, !relationship.isOrdered, let inverse = relationship.inverseRelationship,
            inverse !== relationship, let destination = relationship.destinationEntity, covers(destination)
        else { return true }
        guard inverse.isToMany else { return false }
        guard !inverse.isOrdered else { return false }
        return Self.place(of: relationship) <= Self.place(of: inverse)
    }

    /// The names of the entity that declares a relationship, since subentities have copies of it, and of the
    /// relationship.
    private static func place(of relationship: NSRelationshipDescription) -> (String, String) {
        var owner = relationship.entity
        while let above = owner?.superentity, above.relationshipsByName[relationship.name] != nil { owner = above }
        return (owner?.name ?? "", relationship.name)
    }

    /// Whether all objects of an entity are exported.
    private func covers(_ entity: NSEntityDescription) -> Bool {
        if entities.contains(entity) { return true }
        let below = entity.subentities
        return entity.isAbstract && !below.isEmpty && below.allSatisfy(covers)
    }
}
