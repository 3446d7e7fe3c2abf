import Foundation

/// What plural rules ask of a number as it is written: `1` and `1.0` differ in many languages (UTS #35, Part 3).
public struct PluralOperands: Sendable, Equatable {
    /// Numbers are kept by their last twelve digits, and as at least this one if they have more: no rule asks for more than six.
    private static let bound: UInt64 = 1_000_000_000_000

    /// The integer part (`i`).
    let integer: UInt64
    /// The number of digits after the decimal sign with and without trailing zeros (`v`, `w`).
    let (digits, significantDigits): (UInt64, UInt64)
    /// These digits as a number, with and without trailing zeros (`f`, `t`).
    let (fraction, significantFraction): (UInt64, UInt64)
    /// The exponent of ten in a compact form such as `1.2c6` (`c`, `e`).
    let exponent: UInt64

    /// The operands of an integer.
    public init(_ number: Int64) { self.init(integer: String(number.magnitude), fraction: "", exponent: 0) }

    /// The operands of an integer.
    public init(_ number: UInt64) { self.init(integer: String(number), fraction: "", exponent: 0) }

    /// The operands of a number with as few digits as it has.
    public init(_ number: Decimal) {
        let text = NSDecimalNumber(decimal: number).description(withLocale: nil)
        self = PluralOperands(text) ?? PluralOperands(0 as Int64)
    }

    /// The operands of a number as it is written: digits, perhaps after a sign, a point with digits, and `c` with an exponent:
    /// `1`, `-1.50`, `1.2c6`. Returns nil for another text.
    public init?(_ text: String) {
        var rest = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        var exponent = 0
        if let mark = rest.firstIndex(where: { $0 == "c" || $0 == "e" }) {
            guard let number = Int(rest[rest.index(after: mark)...]), (0...40).contains(number) else { return nil }
            exponent = number
            rest = rest[..<mark]
        }
        let halves = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let (whole, part) = (halves.first ?? "", halves.count > 1 ? halves[1] : "")
        guard !whole.isEmpty, halves.count < 2 || !part.isEmpty, Self.areDigits(whole), Self.areDigits(part) else {
            return nil
        }
        // The exponent moves the point to the right.
        let moved = String(part.prefix(exponent)) + String(repeating: "0", count: max(0, exponent - part.count))
        self.init(
            integer: String(whole) + moved, fraction: String(part.dropFirst(exponent)), exponent: UInt64(exponent))
    }

    private init(integer: String, fraction: String, exponent: UInt64) {
        self.integer = Self.bounded(integer)
        digits = UInt64(fraction.utf8.count)
        self.fraction = Self.bounded(fraction)
        let zeros = fraction.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        significantDigits = digits - UInt64(zeros)
        significantFraction = Self.bounded(String(fraction.dropLast(zeros)))
        self.exponent = exponent
    }

    /// Whether the number is an integer, with zeros after the point at most.
    var isInteger: Bool { significantFraction == 0 && significantDigits == 0 }

    /// Whether the number is zero.
    var isZero: Bool { isInteger && integer == 0 }

    private static func areDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { (48...57).contains($0) } }

    private static func bounded(_ digits: String) -> UInt64 {
        let significant = digits.drop { $0 == "0" }
        let last = UInt64(significant.suffix(12)) ?? 0
        return significant.utf8.count > 12 ? last + bound : last
    }
}
