import CoreDataModeling

extension DerivedCell {
    private var isBytes: Bool { tag == RowTag.text || tag == RowTag.blob }

    /// Whether a slot of a row already has the value.
    package func isHeld(by slab: RowSlab, _ index: Int, _ slot: Int) -> Bool {
        guard slab.tag(index, slot) == tag else { return false }
        if tag == RowTag.null { return true }
        return isBytes ? slab.bytes(index, slot).elementsEqual(bytes) : slab.bits(index, slot) == bits
    }

    /// Writes the value into a row of a slab that is not yet shared.
    package func write(to slab: RowSlab, _ index: Int, _ slot: Int) {
        slab.set(tag, isBytes ? bytes.withUnsafeBytes { slab.append($0) } : bits, row: slab.row(index), slot: slot)
    }
}
