import CoreDataModeling

/// A decimal as a store saves it in columns with numeric affinity, such as those of Apple's SQLite files.
///
/// A 64-bit integer keeps all digits. Any other number is rounded to 15 significant digits, halves away from zero, and
/// saved as the nearest binary fraction, which reads as the same 15 digits. Rows, computed values and the constants of
/// comparisons are all rounded here, so that a predicate finds a value both by the digits that were assigned and by
/// those that are read.
package enum KeptDecimal: Equatable, Sendable {
    case integer(Int64)
    case real(Double)

    /// The number of significant digits of a number that is not a 64-bit integer.
    package static let digits = 15

    /// Nil for NaN, which is stored as a text.
    package init?(_ number: Decimal) {
        guard !number.isNaN else { return nil }
        let digits = Self.rounded(number).description
        if let integer = Int64(digits) {
            self = .integer(integer)
        } else if let real = Double(digits) {
            self = .real(real)
        } else {
            return nil
        }
    }

    /// Parses a text that is a number; nil for other texts and for NaN.
    package init?(text: String) {
        if let integer = Int64(text) {
            self = .integer(integer)
        } else if text.utf8.count <= Self.digits + 1, text.utf8.allSatisfy(Self.isPlain), let real = Double(text) {
            // The text is not an integer, so one of its at most 16 bytes is the decimal point: its at most 15 digits
            // need no rounding.
            self = .real(real)
        } else if let number = ExactNumber.decimal(of: text) {
            self.init(number)
        } else {
            return nil
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    /// Rounds a number to the stored digits; numbers that need no rounding, and NaN, are unchanged.
    package static func rounded(_ number: Decimal) -> Decimal {
        guard !number.isNaN else { return number }
        let count = number.significand.description.utf8.count { $0 != UInt8(ascii: "-") }
        guard count > digits, Int64(number.description) == nil else { return number }
        var (source, result) = (number, Decimal())
        NSDecimalRound(&result, &source, digits - count - number.exponent, .plain)
        return result
    }

    /// The decimal text of a binary fraction in a decimal column, with 15 digits; further digits are artifacts of the
    /// conversion and not part of the value.
    package static func text(of real: Double) -> String { String(format: "%.15g", real) }

    /// The tag and bits of the number in a row's slot.
    package var tag: UInt8 {
        switch self {
        case .integer: RowTag.integer
        case .real: RowTag.real
        }
    }

    package var bits: UInt64 {
        switch self {
        case .integer(let integer): UInt64(bitPattern: integer)
        case .real(let real): real.bitPattern
        }
    }
}
