/// An object whose plain properties are in numbered slots, from which predicates read them without boxing or key
/// lookup.
///
/// Only classes conform, since generic code handles references as fast as a concrete type, but values through
/// witnesses.
package protocol SlotReading: AnyObject {
    /// A number that readers share in a process if and only if they have the same slots; 0 without slots.
    var slotStamp: Int { get }

    /// The slot of the property with a key; nil if reading by key could return anything but the content of a slot.
    func slot(of key: String) -> PlainSlot?

    /// The value in a slot. The bytes of a text are valid while the reader lives and does not change.
    func value(in slot: PlainSlot) -> SlotValue

    /// The object from which the evaluator reads all other properties.
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

/// The value in a slot; a date is the seconds since the reference date, a Boolean is 1 or 0.
package enum SlotValue {
    case null
    case integer(Int64)
    case real(Double)
    /// UTF-8, which may be invalid.
    case bytes(UnsafeRawBufferPointer)
    case string(String)
    /// A value that is not of the slot's type or cannot be lent: the evaluator must read the property by key.
    case other
}
