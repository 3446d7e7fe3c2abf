import CoreData

/// Which relationships an export writes: each link once, and each order.
///
/// A link of two objects could be written at both. Of a to-one and a to-many relationship it is the to-one that is
/// written, as there may be millions at the other end; of two that are to-many, the first by the names of entity and
/// relationship. Ordered ones are written whatever their inverse is.
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

    /// The entity that declares a relationship, of which those below it have descriptions of their own, and its name.
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
