/// The memory layout of `NSNumber` objects of one type, whose content is the bits of the value.
package struct NumberForm: Sendable {
    package static let integers = NumberForm(
        like: NSNumber(value: 0x0123_4567_89AB_CDEF as Int64), bits: 0x0123_4567_89AB_CDEF)
    package static let reals = NumberForm(like: NSNumber(value: Double.pi), bits: Double.pi.bitPattern)

    /// Nil if the layout is not as expected: Foundation then makes the numbers.
    private let form: ObjectForm<UInt64>?

    /// - Parameter bits: the expected content of the example.
    init(like example: NSNumber, bits: UInt64) {
        let form = ObjectForm<UInt64>(of: NSNumber.self, like: example)
        self.form = form?.content(of: example) == bits ? form : nil
    }

    var isKnown: Bool { form != nil }

    /// The number that `NSNumber(value: Int64)` makes.
    package func number(_ value: Int64) -> NSNumber {
        // Core Foundation has shared instances of some small integers, with another type.
        guard let form, Int8(exactly: value) == nil else { return NSNumber(value: value) }
        return form.object(UInt64(bitPattern: value), as: NSNumber.self)
    }

    /// The number that `NSNumber(value: Double)` makes.
    package func number(_ value: Double) -> NSNumber {
        // Core Foundation has a single form of NaN.
        guard let form, !value.isNaN else { return NSNumber(value: value) }
        return form.object(value.bitPattern, as: NSNumber.self)
    }
}

extension NSNumber {
    /// The number that `init(value:)` makes.
    package static func holding(_ value: Int64) -> NSNumber { NumberForm.integers.number(value) }

    /// The number that `init(value:)` makes.
    package static func holding(_ value: Double) -> NSNumber { NumberForm.reals.number(value) }
}
