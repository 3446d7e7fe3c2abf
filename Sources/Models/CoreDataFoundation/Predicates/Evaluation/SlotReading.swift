/// Something whose plain properties lie in numbered slots, where a predicate reads them without a box or a name.
///
/// An object, since generic code handles references as fast as any other, and values through their witnesses.
package protocol SlotReading: AnyObject {
    /// A number shared by exactly those readers in the process that have the same slots; 0 without slots.
    var slotStamp: Int { get }

    /// Where the property of a key lies; nil if reading it by key could give anything but the content of a slot.
    func slot(of key: String) -> PlainSlot?

    /// What a slot holds. The bytes of a text are lent for as long as the reader lives and does not change.
    func value(in slot: PlainSlot) -> SlotValue

    /// What the evaluator reads all other properties from.
    var evaluatedObject: Any? { get }
}

/// A slot with the type of the attribute that it belongs to.
package struct PlainSlot: Sendable {
    package enum Kind: Sendable {
        case integer16, integer32, integer64, boolean, real, date, text
    }

    package let number: Int
    package let kind: Kind

    package init(number: Int, kind: Kind) {
        self.number = number
        self.kind = kind
    }
}

/// What a slot holds: a date as the seconds since the reference date, a truth value as 1 or 0.
package enum SlotValue {
    case null
    case integer(Int64)
    case real(Double)
    /// UTF-8, perhaps damaged.
    case bytes(UnsafeRawBufferPointer)
    case string(String)
    /// No value of the slot's type, or none that can be lent: only reading by key can determine.
    case other
}
