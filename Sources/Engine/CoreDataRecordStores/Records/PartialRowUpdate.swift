import CoreDataStore

/// Puts what a parent's view of a record changed into the record's own row.
///
/// An object can have been made of a record by the name of a parent entity: its row has the parent's slots only, and what
/// else the record has must stay.
enum PartialRowUpdate {
    /// The row to write: the given one, or where it is narrower than the record, a copy of the record's with the changes.
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

    /// The slot of the same property in another layout, and the one that says whether it changed.
    private static func slot(_ slot: EntityLayout.Slot, in layout: EntityLayout) -> (slot: Int, changed: Int)? {
        switch (slot.content, layout.places[slot.name]) {
        case (.targetNumber, .toOne(let own)): (own + 1, own)
        case (.toOne, .toOne(let own)): (own, own)
        case (.attribute, .attribute(let own)) where own < layout.storedCount: (own, own)
        default: nil
        }
    }
}
