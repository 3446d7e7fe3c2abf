import CoreDataStore

/// Removing related objects from an object's relationships, on both sides or one.
extension NSManagedObject {
    /// Removes the related objects for which `isReleased` returns true from all relationships that are known without a
    /// query, and updates the inverses.
    func releaseTargets(where isReleased: (NSManagedObject) -> Bool) {
        for slot in toOneSlots {
            if let target = relatedObject(slot), isReleased(target) { relate(slot, to: nil) }
        }
        for number in layout.toMany.indices {
            for member in knownMembers(number) where isReleased(member) { removeRelated(member, number) }
        }
    }

    /// Makes the related objects no longer refer to this object, whose own relationships stay unchanged.
    func detachFromTargets() {
        for (slot, content) in layout.slots.enumerated() {
            guard case .toOne(let relationship) = content.content, let inverse = relationship.inverseRelationship,
                let target = relatedObject(slot), inverseContains(target, relationship)
            else { continue }
            target.detach(self, from: inverse)
        }
        for (number, relationship) in layout.toMany.enumerated() {
            guard let inverse = relationship.inverseRelationship, let links = toManyLinks(number) else { continue }
            for member in links.objects.reversed() where inverseContains(member, relationship) {
                member.detach(self, from: inverse)
            }
        }
    }

    /// Removes related objects that are gone or no longer refer to this object from its relationships, without changing
    /// the inverses. `loading` says whether members that were not read are read for that.
    func releaseStrangers(loading: Bool) {
        for slot in 0..<layout.storedCount {
            guard case .toOne(let relationship) = layout.slots[slot].content, let target = relatedObject(slot),
                !inverseContains(target, relationship)
            else { continue }
            setTarget(nil, slot)
        }
        for (number, relationship) in layout.toMany.enumerated() where loading || toManyLinks(number) != nil {
            let members = loading ? relatedObjects(number) : toManyLinks(number)?.objects ?? []
            for member in members where !inverseContains(member, relationship) { _ = removeMember(member, number) }
        }
    }

    /// The slots of the stored to-one relationships.
    var toOneSlots: [Int] { (0..<layout.storedCount).filter { layout.traits[$0].contains(.toOne) } }

    /// Returns the members of a to-many relationship that are known without a query.
    func knownMembers(_ number: Int) -> [NSManagedObject] {
        guard let links = toManyLinks(number) else { return [] }
        return links.isLoaded ? links.objects : links.added.objects
    }
}
