import CoreDataModeling

/// The values that a store computed while it executed a save plan, such as those of derived attributes.
package struct DerivedChanges: Sendable {
    /// The computed values of one row, by slot of the row's entity.
    package struct Row {
        package let address: RowAddress
        package var cells: [Int: DerivedCell]
    }

    private var rows: [RowKey: Row] = [:]

    package init() {}

    package var isEmpty: Bool { rows.isEmpty }

    /// The rows with computed values.
    package var addresses: [RowAddress] { rows.values.map(\.address) }

    /// Notes the new value of a slot, in place of one noted before.
    package mutating func note(_ cell: DerivedCell, slot: Int, of address: RowAddress) {
        rows[RowKey(address), default: Row(address: address, cells: [:])].cells[slot] = cell
    }

    /// Returns the values of one row and removes them.
    package mutating func take(_ place: RowKey) -> Row? { rows.removeValue(forKey: place) }

    package var all: some Sequence<Row> { rows.values }
}

extension DerivedChanges.Row {
    /// The values by slot of another entity of the hierarchy; values of attributes that this entity lacks are left out.
    package func slots(in layout: EntityLayout) -> [(slot: Int, cell: DerivedCell)] {
        let own = address.binding.layout
        guard own !== layout else { return cells.map { ($0, $1) } }
        return cells.compactMap { slot, cell in
            guard case .attribute(let place) = layout.places[own.slots[slot].name], place < layout.storedCount else {
                return nil
            }
            return (place, cell)
        }
    }

    /// Writes the values into a row that is not yet shared, except where the row already has them.
    package func write(to slab: RowSlab, _ index: Int) {
        for (slot, cell) in slots(in: slab.layout) where !cell.isHeld(by: slab, index, slot) {
            cell.write(to: slab, index, slot)
        }
    }

    /// Whether a row already has the values.
    package func areHeld(by row: RowSnapshot) -> Bool {
        slots(in: row.slab.layout).allSatisfy { $1.isHeld(by: row.slab, row.index, $0) }
    }
}
