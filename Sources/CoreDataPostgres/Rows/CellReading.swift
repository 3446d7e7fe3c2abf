import CoreDataSQL
import PostgresKit

extension PostgresResult {
    /// A cell in the form in which a row holds it, handed to a body while it is valid; the tag of NULL for NULL, and for
    /// what is none of the column's type.
    ///
    /// Decimals are their digits. Texts are taken out of the form in which the server can hold them.
    @inline(__always)
    func withStored<Answer>(
        _ row: Int, _ column: Int, _ type: ColumnType, _ body: (StoredValue) throws -> Answer
    ) rethrows -> Answer {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        guard !isNull(row, column) else { return try body(StoredValue(tag: RowTag.null, bits: 0, bytes: none)) }
        switch type {
        case .integer:
            guard let integer = int64(row, column) else { break }
            return try body(StoredValue(tag: RowTag.integer, bits: UInt64(bitPattern: integer), bytes: none))
        case .timestamp, .float:
            guard let real = double(row, column) else { break }
            return try body(StoredValue(tag: RowTag.real, bits: real.bitPattern, bytes: none))
        case .varchar:
            let bytes = bytes(row, column)
            guard EscapedText.needsEscaping(bytes) else {
                return try body(StoredValue(tag: RowTag.text, bits: 0, bytes: bytes))
            }
            return try EscapedText.unescaped(bytes).withUnsafeBytes {
                try body(StoredValue(tag: RowTag.text, bits: 0, bytes: $0))
            }
        case .decimal:
            guard var digits = decimalText(row, column) else { break }
            return try digits.withUTF8 { digits in
                try body(StoredValue(tag: RowTag.text, bits: 0, bytes: UnsafeRawBufferPointer(digits)))
            }
        case .blob: return try body(StoredValue(tag: RowTag.blob, bits: 0, bytes: bytes(row, column)))
        }
        return try body(StoredValue(tag: RowTag.null, bits: 0, bytes: none))
    }

    /// A cell of a calculated value, by the type that the server gives it.
    func parameter(_ row: Int, _ column: Int) -> SQLParameter {
        guard !isNull(row, column) else { return .null }
        switch oid(column) {
        case PostgresType.float8: return double(row, column).map { .real($0) } ?? .null
        case PostgresType.numeric: return decimalText(row, column).map { .text($0) } ?? .null
        case PostgresType.text, PostgresType.varchar:
            return .text(String(decoding: EscapedText.unescaped(bytes(row, column)), as: UTF8.self))
        case PostgresType.bytea: return .blob(Data(bytes(row, column)))
        default: return int64(row, column).map { .integer($0) } ?? .null
        }
    }
}
