import CoreDataFoundation

extension NSEntityDescription {
    /// A mutable copy of the entity and its descendants, which does not belong to a model.
    ///
    /// Relationships keep their destinations and inverses, except those between the copied entities, which lead to the
    /// copies.
    public func copy(with zone: NSZone? = nil) -> Any {
        var copying = DescriptionCopying()
        let copies = copying.copy([self])
        return copies[0]
    }

    /// A copy of the entity without superentity and subentities; its relationships keep their destinations and
    /// inverses.
    func duplicate() -> NSEntityDescription {
        let copy = type(of: self).init()
        copy.name = name
        copy.managedObjectClassName = managedObjectClassName
        (copy.objectType, copy.isAbstract) = (objectType, isAbstract)
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.declaredRenamingIdentifier = declaredRenamingIdentifier
        copy.coreSpotlightDisplayNameExpression = coreSpotlightDisplayNameExpression
        copy.codeGenerationType = codeGenerationType
        copy.isSyncable = isSyncable
        copy.notes = notes
        copy.uniquenessConstraints = uniquenessConstraintNames
        copy.compoundIndexes = compoundIndexNames
        copy.setOwnProperties(ownProperties.map { $0.duplicate() })
        copy.indexes = indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
        return copy
    }
}

/// Copies entities so that references between the originals become references between the copies.
struct DescriptionCopying {
    private var copies: [ObjectIdentifier: NSEntityDescription] = [:]
    /// The copy of each copied relationship, by the original.
    private var relationships: [ObjectIdentifier: NSRelationshipDescription] = [:]

    /// Copies the entities and their descendants; returns the copies of the given ones, in order.
    mutating func copy(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        let all = NSEntityDescription.withDescendants(entities)
        for entity in all {
            let copy = entity.duplicate()
            copies[ObjectIdentifier(entity)] = copy
            for (original, property) in zip(entity.ownProperties, copy.ownProperties) {
                relationships[ObjectIdentifier(original)] = property as? NSRelationshipDescription
            }
        }
        for entity in all {
            guard let copy = copies[ObjectIdentifier(entity)] else { continue }
            copy.subentities = entity.subentities.compactMap { copies[ObjectIdentifier($0)] }
            redirect(copy)
        }
        return entities.compactMap { copies[ObjectIdentifier($0)] }
    }

    private func redirect(_ entity: NSEntityDescription) {
        for case let relationship as NSRelationshipDescription in entity.ownProperties {
            if let target = relationship.destinationEntity.flatMap({ copies[ObjectIdentifier($0)] }) {
                relationship.destinationEntity = target
            }
            guard let inverse = relationship.inverseRelationship else { continue }
            relationship.linkedInverse = relationships[ObjectIdentifier(inverse)] ?? inverse
        }
    }
}

extension NSEntityDescription {
    /// The given entities in their order, followed by those of their descendants that are not among them; each once.
    static func withDescendants(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        var seen = Set<ObjectIdentifier>()
        var all = entities.filter { seen.insert(ObjectIdentifier($0)).inserted }
        var next = 0
        while next < all.count {
            all += all[next].subentities.filter { seen.insert(ObjectIdentifier($0)).inserted }
            next += 1
        }
        return all
    }
}
