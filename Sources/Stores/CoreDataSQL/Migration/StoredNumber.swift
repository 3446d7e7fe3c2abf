import CoreDataStore

/// A number as a column, or a value that the history keeps, has it.
package enum StoredNumber {
    case integer(Int64)
    case real(Double)
    case text(String)

    /// The number in a retained value; nil if the value is not a number.
    init?(_ cell: DerivedCell) {
        switch cell.tag {
        case RowTag.integer: self = .integer(Int64(bitPattern: cell.bits))
        case RowTag.real: self = .real(Double(bitPattern: cell.bits))
        case RowTag.text: self = .text(String(decoding: cell.bytes, as: UTF8.self))
        default: return nil
        }
    }

    /// The number as an attribute of a type reads it; nil for what no attribute of the type reads.
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
