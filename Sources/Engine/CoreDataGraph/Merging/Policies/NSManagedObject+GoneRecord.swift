import CoreDataStore

/// Objects whose record was deleted elsewhere, and deletions of records that were changed elsewhere.
extension NSManagedObject {
    /// Takes back that the object was deleted, and gives it the row that the store has.
    ///
    /// What the delete rules took from other objects is given back to them, but what they deleted stays deleted.
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

    /// Makes the object's deletion that of the row as it is now, of whose relationships the delete rules are followed.
    func rebaseDeletion(_ row: RowSnapshot) {
        slab = row.slab
        rowIndex = UInt16(row.index)
        working?.forgetCached(storedCount: layout.storedCount)
        flags.remove(.deletionPropagated)
    }

    // MARK: Written again

    /// Makes an object whose record is gone one that is inserted again, with its key and all its values.
    ///
    /// Members of to-many relationships are those of the store, and those that were added here.
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

    /// Releases objects that were deleted together with the record that is to be written again.
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

    /// Takes an object whose record is gone out of its context, with whatever was changed in it.
    ///
    /// The other objects release it without counting as changed, unless they were made to refer to it here.
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

    /// The record of an object without changes was changed together with the one that is gone: it is read again.
    private func loseGone(_ source: NSManagedObject, _ slot: Int) {
        guard !isFault, relatedObject(slot) === source else { return }
        if hasChanges { return setTarget(nil, slot) }
        binding.store?.rowCache.forget(root: layout.root, key: key)
        turnIntoFault()
    }
}
