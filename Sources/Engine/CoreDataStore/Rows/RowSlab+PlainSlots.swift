import CoreDataModeling

extension EntityLayout {
    /// Where a stored attribute lies whose slot says all that there is to say of its value.
    package func plainSlot(of key: String) -> PlainSlot? {
        guard key != "self", key != "SELF", case .attribute(let number) = places[key], number < storedCount,
            case .attribute(let attribute, let kind) = slots[number].content,
            !(attribute is NSDerivedAttributeDescription)
        else { return nil }
        return kind.plain.map { PlainSlot(number: number, kind: $0) }
    }
}

extension AttributeKind {
    /// How values of the kind lie in slots and in cells of a store; nil for those that need more than a look.
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
    /// What a slot holds, as `SlotCoding` reads it; `other` for what that refuses.
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
    /// An integer in a row as a value of the attribute's type.
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
