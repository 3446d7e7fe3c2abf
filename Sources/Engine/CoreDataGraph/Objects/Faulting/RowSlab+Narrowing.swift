import CoreDataStore

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

extension RowSlab {
    /// A slab with one row as a parent entity has it: the slots that the parent knows, at its places.
    fileprivate func narrowed(_ index: Int, to binding: EntityBinding) -> RowSlab {
        let narrow = RowSlab(binding: binding, capacity: 1)
        let row = narrow.appendRow(key: key(index), version: version(index))
        for slot in 0..<binding.layout.storedCount {
            guard let own = place(of: binding.layout.slots[slot]) else { continue }
            let tag = tag(index, own)
            switch tag {
            case RowTag.null: continue
            case RowTag.held: held(index, own).map { narrow.hold($0, row: row, slot: slot) }
            case RowTag.text, RowTag.blob: narrow.set(tag, narrow.append(bytes(index, own)), row: row, slot: slot)
            default: narrow.set(tag, bits(index, own), row: row, slot: slot)
            }
        }
        return narrow
    }

    private func place(of slot: EntityLayout.Slot) -> Int? {
        switch (slot.content, layout.places[slot.name]) {
        case (.targetNumber, .toOne(let own)): own + 1
        case (_, .toOne(let own)), (_, .attribute(let own)): own < layout.storedCount ? own : nil
        default: nil
        }
    }
}
