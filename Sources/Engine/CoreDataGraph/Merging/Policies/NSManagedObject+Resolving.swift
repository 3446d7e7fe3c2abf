import CoreDataStore

/// What resolving conflicts does to single objects.
extension NSManagedObject {
    /// The slots of stored attributes that can be set.
    var attributeSlots: [Int] {
        (0..<layout.storedCount).filter { slot in
            guard case .attribute(let attribute, _) = layout.slots[slot].content else { return false }
            return !(attribute is NSDerivedAttributeDescription)
        }
    }

    /// Whether a value can still be read: a large one may have gone with the record that it was of.
    func canReadValue(_ slot: Int) -> Bool {
        guard layout.isLarge(slot), working?.isHeld(slot) != true, let slab,
            slab.tag(Int(rowIndex), slot) == RowTag.blob, let source = binding.store?.objects,
            layout.traits[slot].contains(.large)
        else { return true }
        return (try? source.largeValue(stored: slab.bytes(Int(rowIndex), slot))) != nil
    }

    /// The object that a row of this object refers to.
    func target(in row: RowSnapshot, _ slot: Int) -> NSManagedObject? {
        registry?.context?.object(forReferenceIn: row.slab, row: row.index, slot: slot)
    }

    /// Makes a to-one relationship, on both sides, that of the snapshot, without its target being related back.
    func releaseTarget(_ slot: Int) {
        relate(slot, to: nil)
        recordChange(slot)
        working?.discard(slot)
    }

    /// Relates an object on both sides, unless it is gone; no change is left where the snapshot has it.
    func assignTarget(_ slot: Int, _ target: NSManagedObject?) {
        let isThere = target.map { $0.registry === registry && !$0.isDeleted } ?? false
        relate(slot, to: isThere ? target : nil)
        forgetEqualValue(slot)
    }

    /// Removes changes to values that the snapshot has too; an object without any change no longer counts as changed.
    func forgetEqualValues() {
        for slot in 0..<layout.storedCount { forgetEqualValue(slot) }
        for links in working?.toMany ?? [] { links?.noticeCommittedOrder() }
        forgetBeingUpdated()
    }

    private func forgetEqualValue(_ slot: Int) {
        guard let working, working.isChanged(slot), isCommitted(working.value(slot), slot) else { return }
        working.discard(slot)
    }

    /// Takes the object out of the changed ones if nothing of it is changed.
    func forgetBeingUpdated() {
        if isUpdated, working?.hasAnyChange != true { flags.remove(.updated) }
    }

    /// Notifies the object that a policy gave it other values; what it changes then is not tracked.
    func awakeFromPolicy() {
        guard registry != nil else { return }
        flags.insert(.awaking)
        awake(fromSnapshotEvents: .mergePolicy)
        flags.remove(.awaking)
    }

    // MARK: What the other side learns

    /// Knows that the store's row of an object refers to this one.
    func noteStored(_ source: NSManagedObject, inverse: NSRelationshipDescription, type: NSMergePolicyType) {
        switch layout.places[inverse.name] {
        case .toMany(let number):
            guard let links = toManyLinks(number) else { return }
            replaceValues {
                links.noteStored(source)
                links.display?.show(links.objects)
            }
            forgetBeingUpdated()
        case .toOne(let slot):
            bringUpToDate(slot, type)
            guard !isDeleted, relatedObject(slot) !== source else { return }
            // Another owner holds this one here: the later of the two claims is the store's.
            source.relateAgain(to: self, inverse)
        default: return
        }
    }

    /// Knows that the store's row of an object does not refer to this one any more.
    func noteUnstored(_ source: NSManagedObject, inverse: NSRelationshipDescription, type: NSMergePolicyType) {
        switch layout.places[inverse.name] {
        case .toMany(let number):
            guard let links = toManyLinks(number) else { return }
            replaceValues {
                links.noteUnstored(source)
                links.display?.show(links.objects)
            }
            forgetBeingUpdated()
        case .toOne(let slot): bringUpToDate(slot, type)
        default: return
        }
    }

    private func relateAgain(to target: NSManagedObject, _ inverse: NSRelationshipDescription) {
        guard let relationship = inverse.inverseRelationship, case .toOne(let slot) = layout.places[relationship.name]
        else { return }
        relate(slot, to: nil)
        assignTarget(slot, target)
    }

    /// Takes the newest row of the other side of a one-to-one relationship, which was written together with this side's.
    private func bringUpToDate(_ slot: Int, _ type: NSMergePolicyType) {
        guard flags.isDisjoint(with: [.fault, .inaccessible, .temporary, .deleted]), working?.isChanged(slot) != true,
            let row = try? binding.store?.storedRow(binding, key: key), row.version != snapshotVersion,
            let fitting = fitted(row)
        else { return }
        RowConflictMerge(self, row: fitting, type: hasChanges ? type : .mergeByPropertyStoreTrumpMergePolicyType).run()
    }

    // MARK: Members

    /// Takes back what was added to and removed from to-many relationships, as far as members are not others' by now.
    func dropMemberChanges() {
        guard let working else { return }
        for (number, links) in working.toMany.enumerated() {
            guard let links, links.hasChanges else { continue }
            links.replacement = nil
            dropCoinciding(links, number)
            for member in links.added.objects { dropAddition(of: member, number) }
            for member in links.removed.objects { dropRemoval(of: member, number) }
            if links.added.isEmpty, links.removed.isEmpty { working.toMany[number] = nil }
        }
    }

    /// Removes additions of members that the store has, and removals of members that it lacks; no value changes.
    private func dropCoinciding(_ links: ToManyLinks, _ number: Int) {
        for member in links.added.objects + links.removed.objects where links.coincides(member) {
            links.dropChange(of: member)
            guard case .toMany(let back)? = member.place(of: layout.toMany[number].inverseRelationship) else {
                continue
            }
            member.toManyLinks(back)?.dropChange(of: self)
            member.forgetBeingUpdated()
        }
    }

    private func dropAddition(of member: NSManagedObject, _ number: Int) {
        switch member.place(of: layout.toMany[number].inverseRelationship) {
        case .toMany(let back):
            _ = removeMember(member, number)
            // A deletion may have taken the addition back on the other side before: nothing is to be removed there.
            if member.toManyLinks(back)?.added.contains(self) == true { _ = member.removeMember(self, back) }
        case .toOne(let slot) where !member.flags.contains(.temporary):
            guard let slab = member.slab else { return removeRelated(member, number) }
            member.assignTarget(slot, member.target(in: RowSnapshot(slab: slab, index: Int(member.rowIndex)), slot))
            member.forgetBeingUpdated()
        default: removeRelated(member, number)
        }
    }

    private func dropRemoval(of member: NSManagedObject, _ number: Int) {
        guard member.registry === registry, !member.isDeleted else { return }
        guard case .toOne(let slot)? = member.place(of: layout.toMany[number].inverseRelationship) else {
            return addRelated(member, number)
        }
        guard member.relatedObject(slot) == nil else { return }
        member.assignTarget(slot, self)
        member.forgetBeingUpdated()
    }
}
