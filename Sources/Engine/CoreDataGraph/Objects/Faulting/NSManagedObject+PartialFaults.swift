import CoreDataStore

/// Faults for which a fetch returned some values, which can be read without firing the fault.
extension NSManagedObject {
    /// Keeps a fetched attribute value in a fault.
    func keepFetched(_ value: Any?, _ name: String) {
        guard case .attribute(let slot) = layout.places[name],
            case .attribute(let attribute, let kind) = layout.slots[slot].content,
            let accepted = try? SlotCoding.accept(value, for: attribute, kind)
        else { return }
        store(accepted, slot)
        workingValues().markCommitted(slot)
        flags.insert(.partial)
    }

    /// Whether a fetch gave the fault the value of a slot, so that reading it does not fire the fault.
    func hasFetched(_ slot: Int) -> Bool { flags.contains(.partial) && working?.isHeld(slot) == true }

    /// Drops the fetched values, since the object now has a row.
    func forgetFetchedValues() {
        flags.remove(.partial)
        working?.forgetCached(storedCount: layout.storedCount)
    }
}

/// Rows that become the snapshots of objects.
extension NSManagedObject {
    /// Makes a row the snapshot of a fault, like `adopt`. If the fault kept a row of another version, cached values
    /// based on that row are dropped.
    func adoptAsFault(_ row: RowSlab, _ index: Int) -> Bool {
        if let working, let slab, slab.version(Int(rowIndex)) != row.version(index) {
            working.forgetCached(storedCount: layout.storedCount)
        }
        return adopt(row, index)
    }

    /// Returns a row in the layout of the object's own entity; nil if the object cannot represent the row's entity.
    func fitted(_ row: RowSnapshot) -> RowSnapshot? {
        if row.slab.layout === layout { return row }
        guard row.slab.layout.entity.isKindOf(entity: layout.entity) else { return nil }
        return RowSnapshot(slab: row.slab.narrowed(row.index, to: binding), index: 0)
    }

    /// Makes a row the object's snapshot; returns false if the object cannot represent the row's entity.
    ///
    /// The object may have been made from an identifier or reference that names an ancestor of the record's entity. It
    /// then remains an object of that ancestor, with the ancestor's properties.
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
