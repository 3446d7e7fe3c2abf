import CoreDataStore

/// Makes the store's present row the snapshot of a changed object, and decides by the kind of merge policy for each
/// attribute and to-one relationship whether the store's value or the object's is used.
///
/// The inverse of each changed relationship is updated too. The object at the other end does not count as changed if
/// that only makes it equal to the store's row.
struct RowConflictMerge {
    private let object: NSManagedObject
    private let row: RowSnapshot
    private let type: NSMergePolicyType
    private let base: RowSnapshot?
    /// The slots in which the store's row differs from the row that the object's changes are based on.
    private let differing: SlotSet

    /// `row` must be of the object's own entity.
    init(_ object: NSManagedObject, row: RowSnapshot, type: NSMergePolicyType) {
        self.object = object
        self.row = row
        self.type = type
        base = object.slab.map { RowSnapshot(slab: $0, index: Int(object.rowIndex)) }
        differing = base.map { row.slotsDiffering(from: $0) } ?? SlotSet()
    }

    func run() {
        guard let context = object.registry?.context else { return }
        let kept = keptValues()
        let wanted = keptTargets()
        if type == .rollbackMergePolicyType { object.dropMemberChanges() }
        takeRow(kept)
        notifyTargets(context)
        for (slot, target) in wanted { object.assignTarget(slot, target) }
        releaseDeletedTargets()
        object.forgetEqualValues()
        context.objectRefreshed(object)
        object.awakeFromPolicy()
    }

    private func isChanged(_ slot: Int) -> Bool { object.working?.isChanged(slot) == true }

    // MARK: Attributes

    /// Returns the object's values of attributes that it did not change and the store did: with the overwrite policy
    /// they are saved too.
    private func keptValues() -> [(slot: Int, value: HeldValue)] {
        guard type == .overwriteMergePolicyType else { return [] }
        return object.attributeSlots.filter { differing.contains($0) && !isChanged($0) && object.canReadValue($0) }
            .map { ($0, object.presentValue($0)) }
    }

    private func takeRow(_ kept: [(slot: Int, value: HeldValue)]) {
        object.replaceValues {
            for slot in object.layout.slots.indices where isChanged(slot) && isDropped(slot) {
                object.recordChange(slot)
                object.working?.discard(slot)
            }
            object.slab = row.slab
            object.rowIndex = UInt16(row.index)
            if object.flags.contains(.inserted) {
                object.flags.remove(.inserted)
                object.flags.insert(.updated)
            }
            object.working?.forgetCached(storedCount: object.layout.storedCount)
            for (slot, value) in kept {
                object.recordChange(slot)
                object.store(value, slot)
            }
        }
    }

    /// Whether the object's change in a slot is dropped in favor of the store's value; false for to-one relationships,
    /// which `keptTargets` resolves before.
    private func isDropped(_ slot: Int) -> Bool {
        switch type {
        case .rollbackMergePolicyType: !object.layout.traits[slot].contains(.toOne)
        case .mergeByPropertyStoreTrumpMergePolicyType:
            differing.contains(slot) && !object.layout.traits[slot].contains(.toOne)
        default: false
        }
    }

    // MARK: To-one relationships

    /// Removes the object from the inverses of targets that the store's row replaces, and of those that it must refer
    /// to again after the row is adopted; returns the latter.
    private func keptTargets() -> [(slot: Int, target: NSManagedObject?)] {
        var wanted: [(slot: Int, target: NSManagedObject?)] = []
        for slot in object.toOneSlots {
            let (differs, isChanged) = (differing.contains(slot), isChanged(slot))
            switch type {
            case .rollbackMergePolicyType where isChanged && !differs:
                object.assignTarget(slot, base.flatMap { object.target(in: $0, slot) })
            case .rollbackMergePolicyType where isChanged,
                .mergeByPropertyStoreTrumpMergePolicyType where isChanged && differs:
                object.releaseTarget(slot)
            case .mergeByPropertyObjectTrumpMergePolicyType where isChanged && differs,
                .overwriteMergePolicyType where differs:
                wanted.append((slot, object.relatedObject(slot)))
                if isChanged { object.releaseTarget(slot) }
            default: continue
            }
        }
        return wanted
    }

    /// Updates the inverses in the objects that the record referred to, and in those that it refers to now.
    private func notifyTargets(_ context: NSManagedObjectContext) {
        for slot in object.toOneSlots where differing.contains(slot) {
            guard case .toOne(let relationship) = object.layout.slots[slot].content,
                let inverse = relationship.inverseRelationship
            else { continue }
            base.flatMap { object.target(in: $0, slot) }?.noteUnstored(object, inverse: inverse, type: type)
            object.target(in: row, slot)?.noteStored(object, inverse: inverse, type: type)
        }
    }

    /// Sets to-one relationships to nil whose targets are deleted in this context, even if the store's row refers to
    /// them.
    private func releaseDeletedTargets() {
        for slot in object.toOneSlots where object.relatedObject(slot)?.isDeleted == true {
            object.assignTarget(slot, nil)
        }
    }
}

extension RowSnapshot {
    /// The slots in which two rows of one entity have different values.
    ///
    /// The entity number of a related object is not compared: the key identifies the object, and not every store
    /// records the entity.
    func slotsDiffering(from other: RowSnapshot) -> SlotSet {
        var slots = SlotSet()
        guard slab.layout === other.slab.layout else { return slots }
        for slot in 0..<slab.layout.storedCount
        where !slab.layout.traits[slot].contains(.targetNumber)
            && !slab.hasSameValue(index, as: other.slab, other.index, slot: slot)
        {
            slots.insert(slot)
        }
        return slots
    }
}
