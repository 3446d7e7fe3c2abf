import CoreDataModeling

extension SlotCoding {
    /// The value of a row's slot; nil for null.
    ///
    /// - Throws: a `ValueRejection` for bytes that are not a value of the type.
    package static func value(
        _ slab: RowSlab, index: Int, slot: Int, kind: AttributeKind, attribute: NSAttributeDescription
    ) throws -> Any? {
        let tag = slab.tag(index, slot)
        if tag == RowTag.null { return nil }
        if tag == RowTag.held { return slab.held(index, slot) }
        let stored = slab.storedValue(index, slot)
        // Only blobs may be stored outside of the row. Reading `storeReference` takes a lock, which threads that read
        // other values avoid.
        let store = stored.tag == RowTag.blob ? slab.binding.storeReference?.largeValues : nil
        // A default value was not written by a store, so its bytes are the value itself.
        let isDefault = slab === slab.layout.defaultRow
        return try withExtendedLifetime(slab) { () throws -> Any? in
            try isDefault
                ? decoded(stored, kind: kind, attribute: attribute, store: nil)
                : decodedFromStore(stored, kind: kind, attribute: attribute, store: store)
        }
    }
}
