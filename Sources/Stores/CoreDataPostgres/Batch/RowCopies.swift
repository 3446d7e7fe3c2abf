import CoreDataSQL

/// Makes copies of rows in new slabs, which a save writes.
struct RowCopies {
    private var slabs: [Int: RowSlab] = [:]

    /// Makes the next version of a row as a copy that `change` modifies; it receives a slab, the row's index and memory
    /// there.
    ///
    /// - Returns: the update of the slots that `change` returns.
    mutating func update(
        of row: RowSnapshot, _ change: (RowSlab, Int, UnsafeMutableRawPointer) throws -> SlotSet
    ) rethrows -> SavePlan.Row {
        let (slab, index) = copy(row)
        slab.row(index).storeBytes(of: row.version &+ 1, toByteOffset: 8, as: Int64.self)
        let changed = try change(slab, index, slab.row(index))
        return SavePlan.Row(slab: slab, index: index, changed: changed, expectedVersion: row.version)
    }

    /// Returns a copy of a row that is valid only during the current call.
    mutating func insertion(of row: SavePlan.Row) -> SavePlan.Row {
        let (slab, index) = copy(RowSnapshot(slab: row.slab, index: row.index))
        return SavePlan.Row(slab: slab, index: index, changed: row.changed, expectedVersion: 0)
    }

    private mutating func copy(_ row: RowSnapshot) -> (RowSlab, Int) {
        let number = row.slab.layout.number
        var slab = slabs[number] ?? RowSlab(binding: row.slab.binding, capacity: RowSlab.mostRows)
        if slab.isFull || slab.binding !== row.slab.binding {
            slab = RowSlab(binding: row.slab.binding, capacity: RowSlab.mostRows)
        }
        slabs[number] = slab
        return (slab, slab.appendCopy(of: row.slab, row.index))
    }
}

extension SavePlan.Row {
    /// Writes the changed values into another row, which may be of a subentity; returns the slots that it wrote there.
    func write(to slab: RowSlab, _ memory: UnsafeMutableRawPointer) -> SlotSet {
        var slots = SlotSet()
        let own = self.slab.layout
        for slot in 0..<own.storedCount where changed.contains(slot) {
            switch slab.layout.places[own.slots[slot].name] {
            case .attribute(let place):
                slab.copy(slot, of: self.slab, index: index, slot: place, into: memory)
                slots.insert(place)
            case .toOne(let place):
                slab.copy(slot, of: self.slab, index: index, slot: place, into: memory)
                slab.copy(slot + 1, of: self.slab, index: index, slot: place + 1, into: memory)
                slots.insert(place)
            case .toMany, .fetched, nil: continue
            }
        }
        return slots
    }
}
