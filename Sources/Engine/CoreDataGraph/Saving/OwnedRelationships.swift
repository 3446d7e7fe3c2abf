import CoreDataStore

extension NSManagedObjectContext {
    /// Deletes the objects that were removed from an owned relationship since the last save and have no owner now.
    func deleteDisowned() {
        guard modelLayout.entities.contains(where: \.classLayout.isOwner) else { return }
        for object in pending where !object.isDeleted {
            for relationship in object.layout.ownedRelationships {
                for member in object.formerTargets(of: relationship) where member.isDisowned {
                    delete(member)
                }
            }
        }
    }
}

extension NSManagedObject {
    /// Returns the objects that were related at the last save and are no longer, without a query.
    fileprivate func formerTargets(of relationship: NSRelationshipDescription) -> [NSManagedObject] {
        switch layout.places[relationship.name] {
        case .toMany(let number): return toManyLinks(number)?.removed.objects ?? []
        case .toOne(let slot):
            guard !isFault, let working, working.isChanged(slot), let slab, let context = registry?.context,
                let former = context.object(forReferenceIn: slab, row: Int(rowIndex), slot: slot)
            else { return [] }
            return former === relatedObject(slot) ? [] : [former]
        default: return []
        }
    }

    /// Whether the object is a member of no owned relationship.
    fileprivate var isDisowned: Bool {
        guard !isDeleted, registry != nil, !flags.contains(.inaccessible) else { return false }
        return layout.entity.relationshipsByName.values.allSatisfy { relationship in
            guard relationship.inverseRelationship?.isOwned == true else { return true }
            return targets(of: relationship).allSatisfy(\.isDeleted)
        }
    }
}
