import CoreDataStore

/// Releasing related objects: of all, of those that are gone, on both sides or on one.
extension NSManagedObject {
    /// Releases related objects, on both sides.
    func releaseTargets(where isReleased: (NSManagedObject) -> Bool) {
        for slot in toOneSlots {
            if let target = relatedObject(slot), isReleased(target) { relate(slot, to: nil) }
        }
        for number in layout.toMany.indices {
            for member in knownMembers(number) where isReleased(member) { removeRelated(member, number) }
        }
    }

    /// Makes related objects release this one, which stays related to them on its own side.
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

    /// Releases, on this side alone, related objects that are gone or whose inverse does not contain this one.
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

    /// The slots of to-one relationships.
    var toOneSlots: [Int] { (0..<layout.storedCount).filter { layout.traits[$0].contains(.toOne) } }

    /// The members of a to-many relationship that are known without asking the store.
    func knownMembers(_ number: Int) -> [NSManagedObject] {
        guard let links = toManyLinks(number) else { return [] }
        return links.isLoaded ? links.objects : links.added.objects
    }
}
