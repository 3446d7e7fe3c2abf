import CoreDataStore

/// Changes to single objects that conflict resolution makes.
extension NSManagedObject {
    /// The slots of stored attributes except derived ones.
    var attributeSlots: [Int] {
        (0..<layout.storedCount).filter { slot in
            guard case .attribute(let attribute, _) = layout.slots[slot].content else { return false }
            return !(attribute is NSDerivedAttributeDescription)
        }
    }

    /// Whether a value can still be read; the file of a large value may have been deleted with its record.
    func canReadValue(_ slot: Int) -> Bool {
        guard layout.isLarge(slot), working?.isHeld(slot) != true, let slab,
            slab.tag(Int(rowIndex), slot) == RowTag.blob, let source = binding.store?.objects,
            layout.traits[slot].contains(.large)
        else { return true }
        return (try? source.largeValue(stored: slab.bytes(Int(rowIndex), slot))) != nil
    }

    /// Returns the object that a row of this object refers to in a to-one slot.
    func target(in row: RowSnapshot, _ slot: Int) -> NSManagedObject? {
        registry?.context?.object(forReferenceIn: row.slab, row: row.index, slot: slot)
    }

    /// Drops the change of a to-one relationship, so that the snapshot's target shows again. The inverse loses the
    /// present target's reference, but the snapshot's target does not get one.
    func releaseTarget(_ slot: Int) {
        relate(slot, to: nil)
        recordChange(slot)
        working?.discard(slot)
    }

    /// Sets a to-one relationship and its inverse; to nil if the target is deleted or has left the context. If the
    /// snapshot has the same target, the relationship does not count as changed.
    func assignTarget(_ slot: Int, _ target: NSManagedObject?) {
        let isThere = target.map { $0.registry === registry && !$0.isDeleted } ?? false
        relate(slot, to: isThere ? target : nil)
        forgetEqualValue(slot)
    }

    /// Drops changes to values equal to the snapshot's; an object without other changes no longer counts as updated.
    func forgetEqualValues() {
        for slot in 0..<layout.storedCount { forgetEqualValue(slot) }
        for links in working?.toMany ?? [] { links?.noticeCommittedOrder() }
        forgetBeingUpdated()
    }

    private func forgetEqualValue(_ slot: Int) {
        guard let working, working.isChanged(slot), isCommitted(working.value(slot), slot) else { return }
        working.discard(slot)
    }

    /// Marks the object as not updated if none of its properties is changed.
    func forgetBeingUpdated() {
        if isUpdated, working?.hasAnyChange != true { flags.remove(.updated) }
    }

    /// Calls `awake(fromSnapshotEvents:)` after a merge policy changed the object; changes in the method are not
    /// tracked.
    func awakeFromPolicy() {
        guard registry != nil else { return }
        flags.insert(.awaking)
        awake(fromSnapshotEvents: .mergePolicy)
        flags.remove(.awaking)
    }

    // MARK: What the other side learns

    /// Updates this object after it is known that the store's row of `source` refers to it.
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
            // In this context another object refers to this one in a one-to-one relationship: the store's `source`
            // wins.
            source.relateAgain(to: self, inverse)
        default: return
        }
    }

    /// Updates this object after it is known that the store's row of `source` no longer refers to it.
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

    /// Adopts the newest row of this object, the other side of a one-to-one relationship; both rows were written
    /// together.
    private func bringUpToDate(_ slot: Int, _ type: NSMergePolicyType) {
        guard flags.isDisjoint(with: [.fault, .inaccessible, .temporary, .deleted]), working?.isChanged(slot) != true,
            let row = try? binding.store?.storedRow(binding, key: key), row.version != snapshotVersion,
            let fitting = fitted(row)
        else { return }
        RowConflictMerge(self, row: fitting, type: hasChanges ? type : .mergeByPropertyStoreTrumpMergePolicyType).run()
    }

    // MARK: Members

    /// Drops the additions to and removals from to-many relationships, unless the member now belongs to another object.
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

    /// Drops additions of members that the store has too, and removals of members that the store lacks too; the
    /// relationship's value stays the same.
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
            // A deletion may have removed the object from the member's side before.
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
