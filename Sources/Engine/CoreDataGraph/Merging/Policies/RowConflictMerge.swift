import CoreDataStore

/// Makes the store's present row the snapshot of a changed object, and decides for each attribute and to-one
/// relationship whether the store's value or the object's is kept.
///
/// Relationships are changed on both sides. An update of the other side that only adopts the store's row does not
/// count as a change of it.
struct RowConflictMerge {
    private let object: NSManagedObject
    private let row: RowSnapshot
    private let type: NSMergePolicyType
    private let base: RowSnapshot?
    /// The slots in which the store's row is another than the one that the object's changes are based on.
    private let differing: SlotSet

    /// `row` is of the object's own entity.
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

    /// What is to be written of attributes that the object did not change.
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

    /// Whether what the object has in a slot gives way; to-one relationships have been resolved before.
    private func isDropped(_ slot: Int) -> Bool {
        switch type {
        case .rollbackMergePolicyType: !object.layout.traits[slot].contains(.toOne)
        case .mergeByPropertyStoreTrumpMergePolicyType:
            differing.contains(slot) && !object.layout.traits[slot].contains(.toOne)
        default: false
        }
    }

    // MARK: To-one relationships

    /// Releases the targets that give way, and those that are to be related again; returns the latter.
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

    /// Lets the objects that the record referred to, and those that it refers to now, know of it.
    private func notifyTargets(_ context: NSManagedObjectContext) {
        for slot in object.toOneSlots where differing.contains(slot) {
            guard case .toOne(let relationship) = object.layout.slots[slot].content,
                let inverse = relationship.inverseRelationship
            else { continue }
            base.flatMap { object.target(in: $0, slot) }?.noteUnstored(object, inverse: inverse, type: type)
            object.target(in: row, slot)?.noteStored(object, inverse: inverse, type: type)
        }
    }

    /// An object that is deleted here cannot be referred to, whatever the store has.
    private func releaseDeletedTargets() {
        for slot in object.toOneSlots where object.relatedObject(slot)?.isDeleted == true {
            object.assignTarget(slot, nil)
        }
    }
}

extension RowSnapshot {
    /// The slots in which two rows of one entity have different values.
    ///
    /// The entity of a related object does not count: its key says which it is, and not every store keeps the entity.
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
