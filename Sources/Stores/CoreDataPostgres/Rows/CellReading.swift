import CoreDataSQL
import PostgresKit

/// Rows whose cells are in the server's binary form.
protocol RowCells {
    /// Returns the bytes of a cell, valid as long as the row; nil for NULL.
    func cell(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer?
}

extension PostgresResult: RowCells {
    @inline(__always)
    func cell(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        isNull(row, column) ? nil : bytes(row, column)
    }
}

extension RowCells {
    /// Returns an integer; nil for NULL, and for a cell whose length is not 8 bytes.
    @inline(__always)
    func integer(_ row: Int, _ column: Int) -> Int64? {
        guard let bytes = cell(row, column), bytes.count == 8 else { return nil }
        return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }

    /// Passes a cell to `body` in the form in which a row stores it, valid during the call; null for NULL, and for a
    /// cell that does not have the column's type.
    ///
    /// Decimals become digits. Texts are converted from the escaped form in which the server stores them.
    @inline(__always)
    func withStored<Answer>(
        _ row: Int, column: Int, type: ColumnType, body: (StoredValue) throws -> Answer
    ) rethrows -> Answer {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        guard let bytes = cell(row, column) else {
            return try body(StoredValue(tag: RowTag.null, bits: 0, bytes: none))
        }
        switch type {
        case .integer:
            guard bytes.count == 8 else { break }
            let bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            return try body(StoredValue(tag: RowTag.integer, bits: bits, bytes: none))
        case .timestamp, .float:
            guard bytes.count == 8 else { break }
            let bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            return try body(StoredValue(tag: RowTag.real, bits: bits, bytes: none))
        case .varchar:
            guard EscapedText.needsEscaping(bytes) else {
                return try body(StoredValue(tag: RowTag.text, bits: 0, bytes: bytes))
            }
            return try EscapedText.unescaped(bytes).withUnsafeBytes {
                try body(StoredValue(tag: RowTag.text, bits: 0, bytes: $0))
            }
        case .decimal:
            guard var digits = PostgresNumeric.text(of: bytes) else { break }
            return try digits.withUTF8 { digits in
                try body(StoredValue(tag: RowTag.text, bits: 0, bytes: UnsafeRawBufferPointer(digits)))
            }
        case .blob: return try body(StoredValue(tag: RowTag.blob, bits: 0, bytes: bytes))
        }
        return try body(StoredValue(tag: RowTag.null, bits: 0, bytes: none))
    }
}

extension PostgresResult {
    /// Returns the cell of a computed value, by the type that the server reports.
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
