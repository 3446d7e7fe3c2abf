import CoreDataFoundation

/// The conversion of an attribute's numbers to another type, and which numbers can be converted.
///
/// An integer or a decimal is converted only if no digit is lost. A floating-point number is rounded if the new type is
/// less precise, but one with a fraction is not converted to an integer. NaN and infinity are converted only from Float
/// to Double.
///
/// | from | to | fits |
/// |---|---|---|
/// | Boolean | any number | always: 0 or 1 |
/// | integer | integer | within the range |
/// | integer | Double, Float | if the type represents it exactly |
/// | integer | Decimal | always |
/// | Float | Double | always, as it is stored |
/// | Double | Float | within the range, rounded to the nearest |
/// | Double, Float | integer | without a fraction, within the range |
/// | Double, Float | Decimal | 0, and from 1e-110 to 1e127: the shortest decimal that names it |
/// | Decimal | integer | without a fraction, within the range |
/// | Decimal | Double, Float | if the shortest decimal that names the result is the number |
package struct NumberConversion: Hashable, Sendable {
    package let old: NSAttributeType
    package let new: NSAttributeType

    /// Returns nil for equal types, for types that are not numbers, and if the new type is Boolean.
    package init?(from old: NSAttributeType, to new: NSAttributeType) {
        guard old != new, new != .booleanAttributeType, Self.isNumber(old), Self.isNumber(new) else { return nil }
        self.old = old
        self.new = new
    }

    private static func isNumber(_ type: NSAttributeType) -> Bool {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .floatAttributeType,
            .doubleAttributeType, .decimalAttributeType, .booleanAttributeType:
            true
        default: false
        }
    }

    /// The range of an integer type; nil for other types.
    package static func range(of type: NSAttributeType) -> ClosedRange<Int64>? {
        switch type {
        case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
        case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
        case .integer64AttributeType: Int64.min...Int64.max
        default: nil
        }
    }

    /// Whether a store keeps the number in the same form before and after the conversion.
    package var keepsForm: Bool {
        let areIntegers = Self.range(of: old) != nil && Self.range(of: new) != nil
        return areIntegers || old == .floatAttributeType && new == .doubleAttributeType
    }

    /// Whether the conversion may round a number.
    package var rounds: Bool { old == .doubleAttributeType && new == .floatAttributeType }

    /// Whether some numbers of the old type cannot be converted.
    package var mayRefuse: Bool {
        switch (old, new) {
        case (.booleanAttributeType, _), (.floatAttributeType, .doubleAttributeType): return false
        case (.integer16AttributeType, .floatAttributeType), (.integer16AttributeType, .doubleAttributeType),
            (.integer32AttributeType, .doubleAttributeType):
            return false
        default: break
        }
        guard let range = Self.range(of: old) else { return true }
        if new == .decimalAttributeType { return false }
        guard let wanted = Self.range(of: new) else { return true }
        return !(wanted.contains(range.lowerBound) && wanted.contains(range.upperBound))
    }

    /// Converts a value of the old type; nil if it does not fit the new type or is not a number.
    package func converted(_ value: Any) -> NSNumber? {
        guard let number = ExactNumber(value) else { return nil }
        switch exact(number) {
        case .integer(let integer): return NSNumber(value: integer)
        case .double(let double): return NSNumber(value: double)
        case .decimal(let decimal): return NSDecimalNumber(decimal: decimal)
        case .unsigned, nil: return nil
        }
    }

    /// Converts a number to an integer, a floating-point number or a decimal of the new type's range and precision; nil
    /// if it does not fit.
    package func exact(_ number: ExactNumber) -> ExactNumber? {
        if old == .booleanAttributeType {
            guard let flag = number.integer else { return nil }
            return of(integer: flag == 0 ? 0 : 1)
        }
        switch number {
        case .integer(let integer): return of(integer: integer)
        case .double(let double): return of(double: double)
        case .decimal(let decimal): return of(decimal: decimal)
        case .unsigned: return nil
        }
    }

    private func of(integer: Int64) -> ExactNumber? {
        switch new {
        case .decimalAttributeType: return .decimal(Decimal(integer))
        case .doubleAttributeType: return Int64(exactly: Double(integer)) == integer ? .double(Double(integer)) : nil
        case .floatAttributeType:
            return Int64(exactly: Float(integer)) == integer ? .double(Double(Float(integer))) : nil
        default: return ranged(integer)
        }
    }

    private func of(double: Double) -> ExactNumber? {
        if new == .doubleAttributeType { return .double(double) }
        guard double.isFinite else { return nil }
        switch new {
        case .floatAttributeType:
            let float = Float(double)
            return float.isFinite && (float != 0 || double == 0) ? .double(Double(float)) : nil
        case .decimalAttributeType:
            guard old == .floatAttributeType else { return ExactNumber.double(double).decimal.map { .decimal($0) } }
            return Self.decimal(naming: Float(double)).map { .decimal($0) }
        default: return Int64(exactly: double).flatMap(ranged)
        }
    }

    private func of(decimal: Decimal) -> ExactNumber? {
        guard !decimal.isNaN else { return nil }
        let number = ExactNumber.decimal(decimal)
        switch new {
        case .decimalAttributeType: return number
        case .doubleAttributeType:
            let double = number.double
            return ExactNumber.double(double).decimal == decimal ? .double(double) : nil
        case .floatAttributeType:
            guard let float = Float(decimal.description), Self.decimal(naming: float) == decimal else { return nil }
            return .double(Double(float))
        default:
            guard let integer = number.integer, Decimal(integer) == decimal else { return nil }
            return ranged(integer)
        }
    }

    private func ranged(_ integer: Int64) -> ExactNumber? {
        Self.range(of: new)?.contains(integer) == true ? .integer(integer) : nil
    }

    /// The shortest decimal that denotes a number.
    private static func decimal(naming float: Float) -> Decimal? {
        guard float.isFinite else { return nil }
        return Int64(exactly: float).map { Decimal($0) } ?? Decimal(string: String(float))
    }
}
