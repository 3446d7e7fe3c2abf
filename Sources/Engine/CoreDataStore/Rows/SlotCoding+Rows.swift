import CoreDataModeling

extension SlotCoding {
    /// The value in a slot of a row; nil for null.
    ///
    /// - Throws: a `ValueRejection` for bytes that are not a value of the type.
    package static func value(
        _ slab: RowSlab, index: Int, slot: Int, kind: AttributeKind, attribute: NSAttributeDescription
    ) throws -> Any? {
        let tag = slab.tag(index, slot)
        if tag == RowTag.null { return nil }
        if tag == RowTag.held { return slab.held(index, slot) }
        let stored = slab.storedValue(index, slot)
        // Only bytes may be kept outside. The reference has a lock, which threads that read numbers need not wait for.
        let store = stored.tag == RowTag.blob ? slab.binding.storeReference?.largeValues : nil
        // A default value is in no store, so its bytes are the value itself.
        let isDefault = slab === slab.layout.defaultRow
        return try withExtendedLifetime(slab) { () throws -> Any? in
            try isDefault
                ? decoded(stored, kind: kind, attribute: attribute, store: nil)
                : decodedFromStore(stored, kind: kind, attribute: attribute, store: store)
        }
    }
}
