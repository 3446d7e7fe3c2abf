import CoreDataStore

/// The model's default values for new records of an entity, used for rows that are made without objects.
struct DefaultValues {
    private let layout: EntityLayout
    /// The slots that have a default value, and those of them whose value the store converts to its form for large
    /// values.
    private let slots: [Int]
    private let largeSlots: [Int]

    init(of layout: EntityLayout) {
        self.layout = layout
        slots = (0..<layout.storedCount).filter { layout.defaultRow.tag(0, $0) != RowTag.null }
        largeSlots = slots.filter { layout.traits[$0].contains(.large) }
    }

    /// Appends a row with a key, version 1 and the default values to a slab that is not full; returns the row's index.
    func append(to slab: RowSlab, key: Int64, _ builder: RowBuilder) throws -> Int {
        let row = slab.appendRow(key: key, version: 1)
        for slot in slots {
            let tag = layout.defaultRow.tag(0, slot)
            switch tag {
            case RowTag.text, RowTag.blob:
                slab.set(tag, slab.append(layout.defaultRow.bytes(0, slot)), row: row, slot: slot)
            default: slab.set(tag, layout.defaultRow.bits(0, slot), row: row, slot: slot)
            }
        }
        let index = slab.count - 1
        for slot in largeSlots {
            try keepLarge(
                Data(layout.defaultRow.bytes(0, slot)), slot: slot, slab: slab, index: index, builder: builder)
        }
        for (slot, value) in layout.runTimeDefaults where slot < layout.storedCount {
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { continue }
            try builder.set(
                SlotCoding.accept(value.makeValue(), for: attribute, kind), slot: slot, attribute: attribute,
                kind: kind, in: slab, index: index)
        }
        return index
    }

    private func keepLarge(_ value: Data, slot: Int, slab: RowSlab, index: Int, builder: RowBuilder) throws {
        guard let form = try builder.largeValues?.storedForm(of: value) else { return }
        form.withUnsafeBytes { slab.set(RowTag.blob, slab.append($0), row: slab.row(index), slot: slot) }
    }
}
