import CoreDataStore

/// A number in the form in which a column or a tombstone of the history stores it.
package enum StoredNumber {
    case integer(Int64)
    case real(Double)
    case text(String)

    /// Reads a tombstone value: an integer, a real or a text, whose digits are not parsed here; nil for other values.
    init?(_ cell: DerivedCell) {
        switch cell.tag {
        case RowTag.integer: self = .integer(Int64(bitPattern: cell.bits))
        case RowTag.real: self = .real(Double(bitPattern: cell.bits))
        case RowTag.text: self = .text(String(decoding: cell.bytes, as: UTF8.self))
        default: return nil
        }
    }

    /// Returns the number as an attribute of a type reads it; nil if such an attribute cannot read it.
    package func exact(_ type: NSAttributeType) -> ExactNumber? {
        switch (type, self) {
        case (.doubleAttributeType, .integer(let integer)), (.floatAttributeType, .integer(let integer)):
            .double(Double(integer))
        case (.doubleAttributeType, .real(let real)), (.floatAttributeType, .real(let real)): .double(real)
        case (.decimalAttributeType, .integer(let integer)): .decimal(Decimal(integer))
        case (.decimalAttributeType, .real(let real)):
            ExactNumber.decimal(of: KeptDecimal.text(of: real)).map { .decimal($0) }
        case (.decimalAttributeType, .text(let text)): ExactNumber.decimal(of: text).map { .decimal($0) }
        case (_, .integer(let integer)): .integer(integer)
        default: nil
        }
    }
}
