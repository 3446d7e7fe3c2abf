import CoreDataStore

/// What the snapshot of an object says, alone and beside the values that the object has now.
extension NSManagedObject {
    /// The value of a slot as it is kept in memory.
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

    /// The value that a row has in an attribute's slot, as it would be kept in memory.
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

    /// The version of the row that the object was read from; 0 for one that was never saved.
    var snapshotVersion: Int64 {
        guard !flags.contains(.temporary), let slab else { return 0 }
        return slab.version(Int(rowIndex))
    }

    /// Whether a value is the one that the snapshot has too; asked of what is cheap to compare.
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

    /// Whether the value kept for a slot equals the one that the snapshot has.
    ///
    /// Numbers, texts and related objects are compared as they lie there; any other value is decoded first.
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
