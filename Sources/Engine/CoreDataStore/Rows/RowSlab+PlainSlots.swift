import CoreDataModeling

extension EntityLayout {
    /// The slot of a stored attribute whose type needs no decoding beyond the slot's tag and bits; nil for other
    /// properties and for derived attributes.
    package func plainSlot(of key: String) -> PlainSlot? {
        guard key != "self", key != "SELF", case .attribute(let number) = places[key], number < storedCount,
            case .attribute(let attribute, let kind) = slots[number].content,
            !(attribute is NSDerivedAttributeDescription)
        else { return nil }
        return kind.plain.map { PlainSlot(number: number, kind: $0) }
    }
}

extension AttributeKind {
    /// How values of the type are represented in slots and in a store's columns; nil for types that need decoding.
    package var plain: PlainSlot.Kind? {
        switch self {
        case .integer16: .integer16
        case .integer32: .integer32
        case .integer64: .integer64
        case .boolean: .boolean
        case .double, .float: .real
        case .date: .date
        case .string: .text
        default: nil
        }
    }
}

extension RowSlab {
    /// The value of a slot, as `SlotCoding` would decode it; `other` where `SlotCoding` would throw.
    @inline(__always) package func slotValue(_ index: Int, _ slot: PlainSlot) -> SlotValue {
        switch tag(index, slot.number) {
        case RowTag.null: return .null
        case RowTag.integer: return slot.kind.value(integer(index, slot.number))
        case RowTag.real where slot.kind == .real || slot.kind == .date: return .real(real(index, slot.number))
        case RowTag.text where slot.kind == .text: return .bytes(bytes(index, slot.number))
        default: return .other
        }
    }
}

extension PlainSlot.Kind {
    /// An integer of a row as a value of the attribute's type; `other` if it is out of range.
    fileprivate func value(_ integer: Int64) -> SlotValue {
        switch self {
        case .integer16: Int16(exactly: integer) == nil ? .other : .integer(integer)
        case .integer32: Int32(exactly: integer) == nil ? .other : .integer(integer)
        case .integer64: .integer(integer)
        case .boolean: .integer(integer == 0 ? 0 : 1)
        case .real, .date: .real(Double(integer))
        case .text: .other
        }
    }
}
