import CoreDataStore

/// How merge policies treat objects whose record was deleted elsewhere, and deleted objects whose record was changed.
extension NSManagedObject {
    /// Cancels the deletion of the object and makes the store's row its snapshot.
    ///
    /// Restores the references that the delete rules removed from other objects; objects that these rules deleted stay
    /// deleted.
    func dropDeletion(_ row: RowSnapshot) {
        guard let registry else { return }
        let members = membersFoundByDeletion()
        flags.remove([.deleted, .deletionPropagated])
        registry.journal.noteLife(.undeletion, of: self)
        noteChange()
        flags.insert(.updated)
        RowConflictMerge(self, row: row, type: .rollbackMergePolicyType).run()
        giveBack(members)
    }

    /// Bases the object's deletion on the store's present row, to whose relationships the delete rules are then
    /// applied.
    func rebaseDeletion(_ row: RowSnapshot) {
        slab = row.slab
        rowIndex = UInt16(row.index)
        working?.forgetCached(storedCount: layout.storedCount)
        flags.remove(.deletionPropagated)
    }

    // MARK: Written again

    /// Marks an object whose record was deleted as inserted, so that the save writes all values under its old key.
    ///
    /// Its to-many relationships have the members that the store still has and those that were added in this context.
    func writeAgain() {
        for slot in attributeSlots where layout.isLarge(slot) && working?.isChanged(slot) != true {
            let value = presentValue(slot)
            recordChange(slot)
            store(value, slot)
        }
        noteChange()
        flags.remove(.updated)
        flags.insert(.inserted)
        working?.forgetCached(storedCount: layout.storedCount)
        registry?.context?.objectRefreshed(self)
        awakeFromPolicy()
    }

    /// Sets to-one relationships to nil whose targets' records were deleted too.
    func releaseGoneTargets() {
        guard let store = binding.store else { return }
        let targets = toOneSlots.compactMap { slot in relatedObject(slot).map { (slot, $0) } }
            .filter { $0.1.flags.isDisjoint(with: [.temporary, .inserted]) }
        let addresses = targets.map { RowAddress(binding: $0.1.binding, key: $0.1.key) }
        guard let rows = try? store.storedRows(addresses) else { return }
        for ((slot, _), address) in zip(targets, addresses) where rows[RowKey(address)] == nil {
            relate(slot, to: nil)
        }
    }

    // MARK: Leaving

    /// Removes an object whose record was deleted from its context and drops its unsaved changes.
    ///
    /// Other objects no longer refer to it. That does not count as a change of theirs, unless they refer to it by an
    /// unsaved change.
    func leaveAsGone() {
        for slot in toOneSlots {
            guard case .toOne(let relationship) = layout.slots[slot].content, let target = relatedObject(slot) else {
                continue
            }
            target.loseGone(self, relationship.inverseRelationship)
        }
        for (number, relationship) in layout.toMany.enumerated() {
            for member in knownMembers(number) { member.loseGone(self, relationship.inverseRelationship) }
        }
        noteChange()
        leave()
    }

    private func loseGone(_ source: NSManagedObject, _ relationship: NSRelationshipDescription?) {
        guard registry != nil, self !== source else { return }
        switch place(of: relationship) {
        case .toMany(let number):
            guard let links = toManyLinks(number) else { return }
            replaceValues {
                links.forget(source)
                links.display?.show(links.objects)
            }
            forgetBeingUpdated()
        case .toOne(let slot): loseGone(source, slot)
        default: return
        }
    }

    /// The store changed the reference in `self`'s record when it deleted the target's: without unsaved changes, `self`
    /// becomes a fault and is read again.
    private func loseGone(_ source: NSManagedObject, _ slot: Int) {
        guard !isFault, relatedObject(slot) === source else { return }
        if hasChanges { return setTarget(nil, slot) }
        binding.store?.rowCache.forget(root: layout.root, key: key)
        turnIntoFault()
    }
}
