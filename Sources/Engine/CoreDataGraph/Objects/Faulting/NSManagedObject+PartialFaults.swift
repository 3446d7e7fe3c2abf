import CoreDataStore

/// Faults that were given some of their values without a row.
extension NSManagedObject {
    /// Gives a fault one of its values.
    func keepFetched(_ value: Any?, _ name: String) {
        guard case .attribute(let slot) = layout.places[name],
            case .attribute(let attribute, let kind) = layout.slots[slot].content,
            let accepted = try? SlotCoding.accept(value, for: attribute, kind)
        else { return }
        store(accepted, slot)
        workingValues().markCommitted(slot)
        flags.insert(.partial)
    }

    /// Whether a fault was given the value of a slot, so that reading it fires nothing.
    func hasFetched(_ slot: Int) -> Bool { flags.contains(.partial) && working?.isHeld(slot) == true }

    /// Forgets the values that the fault was given: it has a row now.
    func forgetFetchedValues() {
        flags.remove(.partial)
        working?.forgetCached(storedCount: layout.storedCount)
    }
}

/// Rows that become the snapshots of objects.
extension NSManagedObject {
    /// Makes a row the snapshot of a fault, as `adopt` does; what was prefetched by another version's row is forgotten.
    func adoptAsFault(_ row: RowSlab, _ index: Int) -> Bool {
        if let working, let slab, slab.version(Int(rowIndex)) != row.version(index) {
            working.forgetCached(storedCount: layout.storedCount)
        }
        return adopt(row, index)
    }

    /// A row as one of the object's own entity; nil for the row of an entity that the object cannot be of.
    func fitted(_ row: RowSnapshot) -> RowSnapshot? {
        if row.slab.layout === layout { return row }
        guard row.slab.layout.entity.isKindOf(entity: layout.entity) else { return nil }
        return RowSnapshot(slab: row.slab.narrowed(row.index, to: binding), index: 0)
    }

    /// Makes a row the object's snapshot; false when it is the row of an entity that the object cannot be of.
    ///
    /// An identifier or a reference may have named a parent of the record's entity. The object then stays one of the
    /// parent's and has the parent's properties.
    func adopt(_ row: RowSlab, _ index: Int) -> Bool {
        if flags.contains(.partial) { forgetFetchedValues() }
        if row.layout === layout {
            slab = row
            rowIndex = UInt16(index)
            return true
        }
        guard row.layout.entity.isKindOf(entity: layout.entity) else { return false }
        slab = row.narrowed(index, to: binding)
        rowIndex = 0
        return true
    }
}
