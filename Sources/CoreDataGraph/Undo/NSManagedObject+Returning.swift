import CoreDataStore

/// Leaving a context by an undo and coming back by a redo.
extension NSManagedObject {
    /// Leaves the context, keeping all values for the way back.
    ///
    /// Stays in the context's lists of changed objects until these are next gone through.
    func withdraw() {
        registry?.context?.forgetRetained(self)
        unregister()
        flags.remove([.inserted, .updated, .deleted, .deletionPropagated, .newborn])
        flags.insert(.withdrawn)
        moveOut()
    }

    /// Becomes one of a context's inserted objects again.
    func reenter(_ context: NSManagedObjectContext) {
        flags.remove(.withdrawn)
        move(
            to: context.registry.scope(
                of: flags.contains(.temporary) ? context.temporaryBinding(layout) : binding))
        flags.formUnion(context.registry.memberFlags.union(.inserted))
        context.registry.register(self, table: binding.table, key: key)
        context.retainIfAsked(self)
        context.registry.journal.noteInsertion(self)
        context.objectChanged(self)
    }

    /// Makes related objects let go of this one, which stays related to them on its own side.
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

    /// Lets go, on this side alone, of related objects that are gone or whose inverse does not contain this one.
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

}
