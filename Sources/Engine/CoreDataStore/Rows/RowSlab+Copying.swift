import CoreDataModeling

extension RowSlab {
    /// Appends a copy of a row of the same entity and returns its index. The slab must not be full.
    package func appendCopy(of source: RowSlab, _ index: Int) -> Int {
        let row = appendRow(key: source.key(index), version: source.version(index))
        for slot in 0..<layout.storedCount { copy(slot, of: source, index: index, slot: slot, into: row) }
        return count - 1
    }

    /// Copies a slot of another slab's row into a slot of a row that is being filled.
    package func copy(
        _ sourceSlot: Int, of source: RowSlab, index: Int, slot: Int, into row: UnsafeMutableRawPointer
    ) {
        let tag = source.tag(index, sourceSlot)
        let isBytes = tag == RowTag.text || tag == RowTag.blob
        let bits = isBytes ? append(source.bytes(index, sourceSlot)) : source.bits(index, sourceSlot)
        set(tag, tag == RowTag.null ? 0 : bits, row: row, slot: slot)
    }

    /// The number of bytes in the slab's heap that one row uses.
    package func heapBytes(ofRow index: Int) -> Int {
        (0..<layout.storedCount).reduce(0) { sum, slot in
            let tag = tag(index, slot)
            return tag == RowTag.text || tag == RowTag.blob ? sum + bytes(index, slot).count : sum
        }
    }

    /// The key of a to-one relationship's target, and the layout number of its entity; nil for null.
    package func reference(_ index: Int, _ slot: Int) -> (key: Int64, target: Int?)? {
        guard tag(index, slot) == RowTag.integer else { return nil }
        let target = tag(index, slot + 1) == RowTag.integer ? Int(exactly: integer(index, slot + 1)) : nil
        return (integer(index, slot), target)
    }
}
