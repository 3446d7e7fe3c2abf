import CoreDataStore

extension RowSlab {
    /// Returns a slab with a copy of a row in the layout of an ancestor entity, with only that entity's properties.
    func narrowed(_ index: Int, to binding: EntityBinding) -> RowSlab {
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
