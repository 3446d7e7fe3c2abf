import CoreDataStore

/// Packs changed objects into rows, which the store writes and which become the objects' snapshots and cached rows.
struct RowPacker {
    /// The indexes in `slabs` of the slabs that have room, by the numbers of the entities' layouts; -1 for none.
    private var open: [Int]
    private(set) var slabs: [RowSlab] = []
    /// The index in `slabs` of the slab with the row that was packed last.
    private(set) var currentSlab = -1
    private let store: NSPersistentStore
    /// Writes the large values of the rows to where the store keeps such values; nil if the store is closed.
    let largeValues: (any LargeValueWriting)?
    private let context: NSManagedObjectContext
    let keepsAllDigits: Bool
    private let roundsDecimals: Bool
    private let keepsExactReals: Bool
    /// Whether unsaved objects of an entity, by its layout's number, will be saved to this store.
    private var reachable: [Int: Bool] = [:]

    init(store: NSPersistentStore, context: NSManagedObjectContext) {
        self.store = store
        self.context = context
        largeValues = store.objects?.largeValueWriter()
        roundsDecimals = store.objects?.roundsDecimals == true
        let capabilities = store.capabilities
        keepsAllDigits = capabilities.contains(.exactDecimals)
        keepsExactReals = capabilities.contains(.exactReals)
        open = Array(repeating: -1, count: context.modelLayout.entities.count)
    }

    /// Packs the present values of an object as the next version of its row.
    mutating func pack(_ object: NSManagedObject, key: Int64, version: Int64) throws -> SavePlan.Row {
        if object.flags.contains(.exceeding) { try object.requireNumbersInRange() }
        let slab = slab(for: object.layout)
        let row = slab.appendRow(key: key, version: version)
        let index = slab.count - 1
        let isNew = object.flags.contains(.inserted)
        var changed = try fill(row, of: object, in: slab)
        if roundsDecimals { slab.keepDecimals(ofRow: index) }
        if isNew { return SavePlan.Row(slab: slab, index: index, changed: SlotSet(), expectedVersion: 0) }
        leaveOutUnchanged(&changed, of: object, in: slab, index)
        return SavePlan.Row(slab: slab, index: index, changed: changed, expectedVersion: object.snapshotVersion)
    }

    /// Removes the row that was packed last, since none of its values must be written.
    func discard(_ row: SavePlan.Row) { row.slab.removeLastRow() }

    private mutating func slab(for layout: EntityLayout) -> RowSlab {
        let place = open[layout.number]
        if place >= 0, !slabs[place].isFull {
            currentSlab = place
            return slabs[place]
        }
        let slab = RowSlab(binding: store.binding(for: layout), capacity: place < 0 ? 4 : RowSlab.mostRows)
        currentSlab = slabs.count
        open[layout.number] = currentSlab
        slabs.append(slab)
        return slab
    }

    /// Writes every slot of a row, and returns the slots that were set since the snapshot.
    private mutating func fill(
        _ row: UnsafeMutableRawPointer, of object: NSManagedObject, in slab: RowSlab
    ) throws -> SlotSet {
        let working = object.working
        let cells = working?.cells
        let (snapshot, former) = (object.slab, Int(object.rowIndex))
        let traits = slab.layout.traits
        var changed = SlotSet()
        for slot in 0..<slab.storedCount {
            let state = cells?.state(slot) ?? WorkingValues.State.unchanged
            if let cells, state & WorkingValues.State.place == WorkingValues.State.changed {
                changed.insert(slot)
                if state & ~WorkingValues.State.journaled == WorkingValues.State.changed {
                    // An integer, which needs no further check.
                    slab.set(RowTag.integer, cells.bits(slot), row: row, slot: slot)
                } else if let working {
                    try encode(object, working: working, state: state, slot: slot, into: slab, row: row)
                }
            } else if traits[slot].contains(.targetNumber), changed.contains(slot - 1) {
                continue
            } else if let snapshot {
                try copy(snapshot, former, slot: slot, into: slab, row: row)
            }
        }
        return changed
    }

    /// Removes the slots that were set to the snapshot's values from `changed`.
    private func leaveOutUnchanged(_ changed: inout SlotSet, of object: NSManagedObject, in slab: RowSlab, _ index: Int)
    {
        guard let snapshot = object.slab, snapshot.layout === slab.layout else { return }
        let former = Int(object.rowIndex)
        for slot in 0..<slab.layout.storedCount where changed.contains(slot) {
            if slab.hasSameValue(index, as: snapshot, former, slot: slot) { changed.remove(slot) }
        }
    }

    @inline(__always) private func copy(
        _ snapshot: RowSlab, _ index: Int, slot: Int, into slab: RowSlab, row: UnsafeMutableRawPointer
    ) throws {
        let tag = snapshot.tag(index, slot)
        switch tag {
        case RowTag.null: return
        case RowTag.integer, RowTag.real: slab.set(tag, snapshot.bits(index, slot), row: row, slot: slot)
        default: try copyBytes(of: snapshot, index, tag, slot: slot, into: slab, row: row)
        }
    }

    private func copyBytes(
        of snapshot: RowSlab, _ index: Int, _ tag: UInt8, slot: Int, into slab: RowSlab, row: UnsafeMutableRawPointer
    ) throws {
        switch tag {
        case RowTag.blob where slab.layout.traits[slot].contains(.large) && snapshot === snapshot.layout.defaultRow:
            // A default value does not yet have the stored form of large values.
            guard let largeValues else { return }
            let form = try largeValues.storedForm(of: Data(snapshot.bytes(index, slot)))
            form.withUnsafeBytes { slab.set(tag, slab.append($0), row: row, slot: slot) }
        case RowTag.text, RowTag.blob: slab.set(tag, slab.append(snapshot.bytes(index, slot)), row: row, slot: slot)
        default: slab.set(tag, snapshot.bits(index, slot), row: row, slot: slot)
        }
    }

    private mutating func encode(
        _ object: NSManagedObject, working: WorkingValues, state: UInt8, slot: Int, into slab: RowSlab,
        row: UnsafeMutableRawPointer
    ) throws {
        if state & WorkingValues.State.null != 0 { return }
        guard state & WorkingValues.State.boxed != 0 else {
            let isReal = state & WorkingValues.State.real != 0
            let bits = working.bits(slot)
            if isReal, Double(bitPattern: bits).isNaN, !keeps(notANumberIn: slab.layout.slots[slot].content) { return }
            return slab.set(isReal ? RowTag.real : RowTag.integer, bits, row: row, slot: slot)
        }
        guard case .reference(let reference) = working.value(slot) else { return }
        if let target = reference as? NSManagedObject {
            guard try isReachable(target, from: object, slot) else { return }
            slab.set(RowTag.integer, UInt64(bitPattern: target.savedKey), row: row, slot: slot)
            slab.set(RowTag.integer, UInt64(target.layout.number), row: row, slot: slot + 1)
        } else {
            try encode(object, reference: reference, slot: slot, into: slab, row: row)
        }
    }

    private func encode(
        _ object: NSManagedObject, reference: Any, slot: Int, into slab: RowSlab, row: UnsafeMutableRawPointer
    ) throws {
        guard case .attribute(let attribute, let kind) = slab.layout.slots[slot].content else { return }
        if kind == .decimal { reportLoss(of: reference, attribute, object) }
        try SlotCoding.encode(reference, kind: kind, attribute: attribute, largeValues: largeValues) { tag, bytes in
            slab.set(tag, slab.append(bytes), row: row, slot: slot)
        }
    }

    /// Whether the store keeps NaN in a slot; if not, the row has null, as the stored row will.
    ///
    /// NaN is never kept in a date, since Foundation traps when it prints such a date.
    private func keeps(notANumberIn content: EntityLayout.Content) -> Bool {
        guard keepsExactReals, case .attribute(_, let kind) = content else { return false }
        return kind != .date
    }

    /// Whether a row can refer to an object: false if its insertion was undone, or its record was deleted elsewhere.
    ///
    /// - Throws: `NSManagedObjectExternalRelationshipError` for an object of another store.
    private mutating func isReachable(
        _ target: NSManagedObject, from object: NSManagedObject, _ slot: Int
    ) throws -> Bool {
        guard target.registry != nil, !target.flags.contains(.mergedDeletion) else { return false }
        try requireHere(target, from: object, object.layout.slots[slot].name)
        return true
    }

    /// Throws `NSManagedObjectExternalRelationshipError` for an object that is not, and will not be, in this store.
    mutating func requireHere(_ target: NSManagedObject, from object: NSManagedObject, _ name: String) throws {
        let isHere =
            target.flags.contains(.temporary)
            ? target.assignedStore.map { $0 === store } ?? isKeptHere(target.layout) : target.binding.store === store
        guard isHere else { throw CoreDataError.otherStore(name, object.entity.name ?? "") }
    }

    private mutating func isKeptHere(_ layout: EntityLayout) -> Bool {
        if let known = reachable[layout.number] { return known }
        let isHere = context.coordinator.store(forInserting: layout) === store
        reachable[layout.number] = isHere
        return isHere
    }
}
