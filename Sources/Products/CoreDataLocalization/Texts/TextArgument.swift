import Foundation

/// A value that is put into a text in the place of a specifier such as `%@` or `%lld`.
///
/// The value decides how it is shown and not the specifier alone, so that one which does not match never traps: `%d` with a text
/// shows the text, and `%@` with a number the number.
public enum TextArgument: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral
{
    /// A text.
    case text(String)
    /// An integer.
    case integer(Int64)
    /// An integer without a sign.
    case unsigned(UInt64)
    /// A number whose digits are exact.
    case number(Decimal)
    /// A floating-point number, shown with the digits that distinguish it from others.
    case double(Double)

    /// The value of a literal.
    public init(stringLiteral value: String) { self = .text(value) }
    /// The value of a literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// The value of a literal.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// The value of a text.
    public init(_ value: some StringProtocol) { self = .text(String(value)) }

    /// The value of an integer of any width; one beyond 64 bits is kept as a text.
    public init(_ value: some BinaryInteger) {
        if let small = Int64(exactly: value) {
            self = .integer(small)
        } else if let large = UInt64(exactly: value) {
            self = .unsigned(large)
        } else {
            self = .text(String(value))
        }
    }

    /// The number by which plural rules choose, as it is written with `decimals` digits, or with as many as it has; nil for a
    /// text, and for a number that is infinite or none.
    func operands(decimals: Int?) -> PluralOperands? {
        switch self {
        case .text: return nil
        case .integer(let value): return PluralOperands(value)
        case .unsigned(let value): return PluralOperands(value)
        case .number(let value):
            guard value.isFinite else { return nil }
            return PluralOperands(decimals.map { value.plain(decimals: $0) } ?? value.plain)
        case .double(let value):
            guard value.isFinite else { return nil }
            guard let exact = Decimal(string: "\(value)", locale: Locale(identifier: "")) else {
                return PluralOperands(UInt64.max)
            }
            return PluralOperands(decimals.map { exact.plain(decimals: $0) } ?? exact.plain)
        }
    }
}

extension Decimal {
    /// The number with all its digits and a point, in no locale.
    var plain: String { NSDecimalNumber(decimal: self).description(withLocale: nil) }

    /// The number with a number of digits after the point, rounded to the even digit.
    func plain(decimals: Int) -> String {
        var (value, rounded) = (self, Decimal())
        NSDecimalRound(&rounded, &value, decimals, .bankers)
        let halves = rounded.plain.split(separator: ".", maxSplits: 1)
        let part = halves.count > 1 ? String(halves[1]) : ""
        guard decimals > 0 else { return String(halves.first ?? "0") }
        return (halves.first ?? "0") + "." + part + String(repeating: "0", count: max(0, decimals - part.count))
    }
}
