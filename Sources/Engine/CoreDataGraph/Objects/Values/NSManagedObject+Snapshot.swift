import CoreDataStore

/// The values of an object's snapshot, and their comparison with the present values.
extension NSManagedObject {
    /// Returns the present value of a slot in the form that working values have.
    func presentValue(_ slot: Int) -> HeldValue {
        if let working, working.isHeld(slot) { return working.value(slot) }
        switch layout.slots[slot].content {
        case .toOne: return relatedObject(slot).map { .reference($0) } ?? .null
        case .targetNumber: return .null
        case .attribute(let attribute, let kind):
            guard slot < layout.storedCount, let slab else { return transientDefault(slot) ?? .null }
            return storedValue(slab, row: Int(rowIndex), slot: slot, attribute: attribute, kind: kind)
        }
    }

    /// Returns the value of an attribute's slot in a row, in the form that working values have.
    func storedValue(
        _ slab: RowSlab, row: Int, slot: Int, attribute: NSAttributeDescription, kind: AttributeKind
    ) -> HeldValue {
        switch slab.tag(row, slot) {
        case RowTag.null: return .null
        case RowTag.integer where layout.traits[slot].takes(slab.integer(row, slot)):
            return .integer(slab.integer(row, slot))
        case RowTag.real where layout.traits[slot].contains(.real): return .real(slab.real(row, slot))
        default:
            let value = SlotCoding.decode(slab, index: row, slot: slot, kind: kind, attribute: attribute, owner: self)
            return (try? SlotCoding.accept(value, for: attribute, kind)) ?? .null
        }
    }

    /// The version of the object's snapshot; 0 for an object that was never saved.
    var snapshotVersion: Int64 {
        guard !flags.contains(.temporary), let slab else { return 0 }
        return slab.version(Int(rowIndex))
    }

    /// Whether a value equals that of the snapshot; false, without decoding, for values that are expensive to compare.
    func isCommitted(_ value: HeldValue, _ slot: Int) -> Bool {
        guard slot < layout.storedCount, let slab else { return false }
        let row = Int(rowIndex)
        switch (value, slab.tag(row, slot)) {
        case (.null, RowTag.null): return true
        case (.integer(let integer), RowTag.integer): return integer == slab.integer(row, slot)
        case (.real(let real), RowTag.real): return real == slab.real(row, slot)
        case (.reference(let text as String), RowTag.text):
            return slab.bytes(row, slot).elementsEqual(text.utf8)
        case (.reference(let data as Data), RowTag.blob) where layout.keepsBytesAsGiven(slot):
            return slab.bytes(row, slot).elementsEqual(data)
        case (.reference(let target as NSManagedObject), RowTag.integer),
            (.reference(let target as NSManagedObject), RowTag.held):
            return registry?.context?.object(forReferenceIn: slab, row: row, slot: slot) === target
        default: return false
        }
    }

    /// Whether the working value of a slot equals the snapshot's value.
    ///
    /// Numbers, texts and related objects are compared without decoding; other values are decoded first.
    func isEqualToCommitted(_ slot: Int) -> Bool {
        guard slot < layout.storedCount, let working, let slab else { return false }
        let value = working.value(slot)
        if isCommitted(value, slot) { return true }
        guard case .attribute(let attribute, let kind) = layout.slots[slot].content,
            slab.tag(Int(rowIndex), slot) != RowTag.null,
            let present = Self.foundationValue(value, kind),
            let committed = SlotCoding.decode(
                slab, index: Int(rowIndex), slot: slot, kind: kind, attribute: attribute, owner: self)
        else { return false }
        return StoredEquality.areEqual(present, committed)
    }
}
