/// A number of any Swift or Foundation type; numbers of different types are compared without loss.
///
/// Integers and floating-point numbers compare by their exact values. A decimal compares with a floating-point number
/// by the shortest decimal that denotes the latter, so that the literal 0.1 equals the decimal 0.1.
package enum ExactNumber: Sendable {
    case integer(Int64)
    /// An integer above the range of `Int64`.
    case unsigned(UInt64)
    case double(Double)
    case decimal(Decimal)

    /// Makes the number of a value; nil if the value is not a number. True is 1 and false 0.
    package init?(_ value: Any?) {
        guard let value else { return nil }
        let type = Swift.type(of: value)
        if type == Int.self, let value = value as? Int {
            self = .integer(Int64(value))
        } else if type == String.self {
            return nil
        } else if type == Double.self, let value = value as? Double {
            self = .double(value)
        } else if type == Decimal.self, let value = value as? Decimal {
            self = .decimal(value)
        } else if type == CGFloat.self, let value = value as? CGFloat {
            self = .double(Double(value))
        } else if let number = value as? NSNumber {
            self.init(boxed: number)
        } else {
            return nil
        }
    }

    private init(boxed number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        // Objective-C's type codes: d and f are floating-point types, Q is an unsigned 64-bit integer.
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"): self.init(number.uint64Value)
        default: self = .integer(number.int64Value)
        }
    }

    init(_ value: UInt64) {
        self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
    }
}

extension ExactNumber {
    package var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        // Converted by its text, since Foundation's own conversion does not always give the nearest number.
        case .decimal(let value): Double(value.description) ?? .nan
        }
    }

    /// The number as a decimal; nil for a floating-point number that is not finite or out of a decimal's range.
    package var decimal: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .double(let value): Self.decimal(naming: value)
        case .decimal(let value): value
        }
    }

    /// The number as a 64-bit integer without its fraction; nil if it is out of range.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .unsigned: nil
        case .double(let value): Int64(exactly: value.rounded(.towardZero))
        case .decimal(let value): value.isNaN ? nil : Self.integer(cutting: value)
        }
    }

    /// The number in Swift's natural type for it: `Int`, `UInt64`, `Double` or `Decimal`.
    package var value: Any {
        switch self {
        case .integer(let value): Int(exactly: value) ?? value
        case .unsigned(let value): value
        case .double(let value): value
        case .decimal(let value): value
        }
    }

    /// Whether the number is the decimal NaN.
    package var isDecimalNaN: Bool {
        if case .decimal(let value) = self { value.isNaN } else { false }
    }

    package var text: String {
        switch self {
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .double(let value): String(value)
        case .decimal(let value): value.description
        }
    }

    /// The number with the opposite sign, as a decimal if it is below `Int64.min`; nil for `Int64.min` itself.
    var negated: ExactNumber? {
        switch self {
        case .integer(let value): value == .min ? nil : .integer(-value)
        case .unsigned(let value): value == UInt64(Int64.max) + 1 ? .integer(.min) : .decimal(-Decimal(value))
        case .double(let value): .double(-value)
        case .decimal(let value): .decimal(-value)
        }
    }

    private static func decimal(naming value: Double) -> Decimal? {
        guard value.isFinite, value == 0 || (1e-110...1e127).contains(abs(value)) else { return nil }
        if let whole = Int64(exactly: value) { return Decimal(whole) }
        return Decimal(string: String(value))
    }

    private static func integer(cutting value: Decimal) -> Int64? {
        guard value > Decimal(Int64.min) - 1, value < Decimal(Int64.max) + 1 else { return nil }
        var (source, result) = (value, Decimal())
        NSDecimalRound(&result, &source, 0, value < 0 ? .up : .down)
        return abs(result) < Decimal(Int64.max)
            ? NSDecimalNumber(decimal: result).int64Value : Int64(result.description)
    }
}

extension ExactNumber {
    /// The order of two numbers; nil if one of them is NaN. But decimal NaN equals itself, as in Foundation, since
    /// stores keep it as a value and fetches find it.
    package func order(to other: ExactNumber) -> ComparisonResult? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.unsigned(let left), .unsigned(let right)): Self.order(left, right)
        case (.integer, .unsigned): .orderedAscending
        case (.unsigned, .integer): .orderedDescending
        case (.double(let left), .double(let right)): Self.order(left, right)
        case (.integer(let left), .double(let right)): Self.order(left, right)
        case (.unsigned(let left), .double(let right)): Self.order(left, right)
        case (.double, .integer), (.double, .unsigned): other.order(to: self)?.reversed
        case (.decimal(let left), _): Self.order(left, other)
        case (_, .decimal): other.order(to: self)?.reversed
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult? {
        if left < right { return .orderedAscending }
        if left > right { return .orderedDescending }
        return left == right ? .orderedSame : nil
    }

    /// Compares an integer with the integer part of a floating-point number, and if they are equal, with its fraction.
    private static func order<Whole: FixedWidthInteger>(_ left: Whole, _ right: Double) -> ComparisonResult? {
        guard !right.isNaN else { return nil }
        let whole = right.rounded(.towardZero)
        guard let exact = Whole(exactly: whole) else { return right < 0 ? .orderedDescending : .orderedAscending }
        guard left == exact else { return order(left, exact) }
        return order(whole, right)
    }

    private static func order(_ left: Decimal, _ right: ExactNumber) -> ComparisonResult? {
        if case .decimal(let right) = right, left.isNaN || right.isNaN {
            return left.isNaN && right.isNaN ? .orderedSame : nil
        }
        guard !left.isNaN else { return nil }
        guard let decimal = right.decimal else {
            return order(ExactNumber.decimal(left).double, right.double)
        }
        return order(left, decimal)
    }
}

extension ComparisonResult {
    /// The result with the two sides exchanged.
    package var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}

/// Decimal numbers from texts that must be numbers as a whole.
///
/// `Decimal(string:)` reads the number at the beginning of a text and ignores the rest, so that `1,5` is 1.
extension ExactNumber {
    /// The decimal of a text in the form of descriptions and stores: digits with a sign, one point and an exponent of
    /// at most four digits, or `NaN`; nil for any other text.
    package static func decimal(of text: String) -> Decimal? {
        if text == "NaN" { return .nan }
        var rest = Array(text.utf8)[...]
        takeSign(&rest)
        let whole = takeDigits(&rest)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = takeDigits(&rest)
        }
        guard whole + fraction > 0 else { return nil }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            takeSign(&rest)
            guard (1...4).contains(takeDigits(&rest)) else { return nil }
        }
        return rest.isEmpty ? Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) : nil
    }

    private static func takeSign(_ rest: inout ArraySlice<UInt8>) {
        if let first = rest.first, [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(first) { rest = rest.dropFirst() }
    }

    /// Removes digits from the beginning and returns their number.
    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        rest = rest.dropFirst(count)
        return count
    }
}
