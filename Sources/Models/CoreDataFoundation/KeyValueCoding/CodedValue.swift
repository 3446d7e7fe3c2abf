/// The result of converting a value that is set by key to the Swift type of the property.
///
/// nil and `NSNull` become nil if the type is optional. A number is converted to the property's numeric type, as
/// Apple's `setValue(_:forKey:)` unboxes an `NSNumber`: an integer type drops the fraction, and for `Bool` every number
/// but zero is true. A number out of the type's range is refused, where Apple's method would cut off its upper bits.
package enum CodedValue<Value> {
    /// The value in the property's type.
    case accepted(Value)
    /// A number that the property's type cannot hold.
    case outOfRange
    /// A value of another type.
    case unacceptable

    /// Converts a value.
    package init(_ value: Any?) {
        let given: Any? = value is NSNull ? nil : flattened(value)
        if let accepted = (given as Any) as? Value {
            self = .accepted(accepted)
        } else if let type = Value.self as? any NumberHolder.Type, let number = ExactNumber(given) {
            // `flatMap` unwraps the result before the cast, which would otherwise turn nil into a value of an optional
            // type.
            self = type.holding(number).flatMap { $0 as? Value }.map { .accepted($0) } ?? .outOfRange
        } else {
            self = .unacceptable
        }
    }
}

/// A type of property that numbers are converted to.
private protocol NumberHolder {
    /// The number converted to this type; nil if it is out of the type's range.
    static func holding(_ number: ExactNumber) -> Any?
}

extension NumberHolder where Self: FixedWidthInteger {
    fileprivate static func holding(_ number: ExactNumber) -> Any? {
        switch number {
        case .integer(let value): Self(exactly: value)
        case .unsigned(let value): Self(exactly: value)
        case .double(let value): Self(exactly: value.rounded(.towardZero))
        // A decimal number beyond `Int64` is converted by way of its text.
        case .decimal: number.integer.map { Self(exactly: $0) } ?? Self(number.text)
        }
    }
}

extension NumberHolder where Self: BinaryFloatingPoint {
    fileprivate static func holding(_ number: ExactNumber) -> Any? {
        let value = Self(number.double)
        return value.isInfinite && number.double.isFinite ? nil : value
    }
}

extension Int: NumberHolder {}
extension Int8: NumberHolder {}
extension Int16: NumberHolder {}
extension Int32: NumberHolder {}
extension Int64: NumberHolder {}
extension UInt: NumberHolder {}
extension UInt8: NumberHolder {}
extension UInt16: NumberHolder {}
extension UInt32: NumberHolder {}
extension UInt64: NumberHolder {}
extension Float: NumberHolder {}
extension Double: NumberHolder {}
extension CGFloat: NumberHolder {}

extension Bool: NumberHolder {
    fileprivate static func holding(_ number: ExactNumber) -> Any? { number.order(to: .integer(0)) != .orderedSame }
}

extension Decimal: NumberHolder {
    fileprivate static func holding(_ number: ExactNumber) -> Any? { number.decimal }
}

extension NSDecimalNumber: NumberHolder {
    fileprivate static func holding(_ number: ExactNumber) -> Any? {
        number.decimal.map(NSDecimalNumber.init(decimal:))
    }
}

extension Optional: NumberHolder where Wrapped: NumberHolder {
    fileprivate static func holding(_ number: ExactNumber) -> Any? { Wrapped.holding(number) }
}
