import CoreDataModeling

extension RowSlab {
    /// The value in a slot in the form in which the slab has it; valid as long as the slab.
    @inline(__always)
    package func storedValue(_ index: Int, _ slot: Int) -> StoredValue {
        let tag = tag(index, slot)
        let isBytes = tag == RowTag.text || tag == RowTag.blob
        return StoredValue(
            tag: tag, bits: bits(index, slot),
            bytes: isBytes ? bytes(index, slot) : UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
