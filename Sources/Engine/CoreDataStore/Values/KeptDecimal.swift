import CoreDataModeling

/// A decimal as a store keeps it whose columns have numeric affinity, as those of Apple's files do.
///
/// An integer of 64 bits keeps every digit there. Any other number is rounded to 15 significant digits, halves away from zero,
/// and kept as the binary fraction nearest to those, which reads as the same 15 digits again. Rows, computed values and the
/// constants that columns are compared with are all rounded here, so that a value is found by the digits that were saved and by
/// those that are read.
package enum KeptDecimal: Equatable, Sendable {
    case integer(Int64)
    case real(Double)

    /// How many significant digits are kept of what is not an integer of 64 bits.
    package static let digits = 15

    /// Nil for the decimal that is not a number, which is kept as a text.
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

    /// The number that a complete text represents; nil for other texts, and for the decimal that is not a number.
    package init?(text: String) {
        if let integer = Int64(text) {
            self = .integer(integer)
        } else if text.utf8.count <= Self.digits + 1, text.utf8.allSatisfy(Self.isPlain), let real = Double(text) {
            // One byte may be the point, so these are no more digits than are stored.
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

    /// The number rounded to the digits that are stored; unchanged if all are stored, and for NaN.
    package static func rounded(_ number: Decimal) -> Decimal {
        guard !number.isNaN else { return number }
        let count = number.significand.description.utf8.count { $0 != UInt8(ascii: "-") }
        guard count > digits, Int64(number.description) == nil else { return number }
        var (source, result) = (number, Decimal())
        NSDecimalRound(&result, &source, digits - count - number.exponent, .plain)
        return result
    }

    /// The digits that a binary fraction in a column of decimals reads as; later digits come from the writer's conversion and
    /// are not part of the value.
    package static func text(of real: Double) -> String { String(format: "%.15g", real) }

    /// How a row has the number.
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
