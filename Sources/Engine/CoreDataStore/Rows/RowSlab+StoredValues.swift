import CoreDataModeling

extension RowSlab {
    /// The value of a slot in the slab's own form; valid while the slab exists.
    @inline(__always)
    package func storedValue(_ index: Int, _ slot: Int) -> StoredValue {
        let tag = tag(index, slot)
        let isBytes = tag == RowTag.text || tag == RowTag.blob
        return StoredValue(
            tag: tag, bits: bits(index, slot),
            bytes: isBytes ? bytes(index, slot) : UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
