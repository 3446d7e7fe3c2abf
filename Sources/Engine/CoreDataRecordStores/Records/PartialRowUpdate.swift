import CoreDataStore

/// Applies the changes of an object whose entity is a parent of the record's entity to the record's row.
///
/// A program can get an object for a record by a parent entity. The row of such an object has only the parent's slots;
/// the other values of the record must stay unchanged.
enum PartialRowUpdate {
    /// The row to write: the given row if it has the record's entity, otherwise a copy of the stored row with the
    /// changed slots.
    static func merged(_ row: SavePlan.Row, over stored: RowSnapshot?) -> RowSnapshot {
        let given = RowSnapshot(slab: row.slab, index: row.index)
        guard let stored, stored.slab.layout !== row.slab.layout else { return given }
        let slab = RowSlab(binding: stored.slab.binding, capacity: 1)
        let target = slab.appendRow(key: row.key, version: row.version)
        let layout = stored.slab.layout
        for slot in 0..<layout.storedCount {
            if let own = Self.slot(layout.slots[slot], in: row.slab.layout), row.changed.contains(own.changed) {
                slab.copy(own.slot, of: row.slab, index: row.index, slot: slot, into: target)
            } else {
                slab.copy(slot, of: stored.slab, index: stored.index, slot: slot, into: target)
            }
        }
        return RowSnapshot(slab: slab, index: 0)
    }

    /// The slot of the same property in another layout, and the slot whose bit in `changed` says whether the property
    /// changed.
    private static func slot(_ slot: EntityLayout.Slot, in layout: EntityLayout) -> (slot: Int, changed: Int)? {
        switch (slot.content, layout.places[slot.name]) {
        case (.targetNumber, .toOne(let own)): (own + 1, own)
        case (.toOne, .toOne(let own)): (own, own)
        case (.attribute, .attribute(let own)) where own < layout.storedCount: (own, own)
        default: nil
        }
    }
}
