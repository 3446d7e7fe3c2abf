import CSQLite

// These functions cost no more than the C functions: no allocation, no checks beyond SQLite's. A missing column is read
// as NULL. SQLite converts a value of another type, so read `columnType` before any conversion.
extension Statement {
    /// The number of columns of the result.
    @inlinable
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The storage class of a column in the current row.
    @inlinable
    package func columnType(_ index: Int) -> ValueType {
        ValueType(code: sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)))
    }

    @inlinable
    package func isNull(_ index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) == SQLITE_NULL
    }

    @inlinable
    package func int64(_ index: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: index))
    }

    @inlinable
    package func double(_ index: Int) -> Double {
        sqlite3_column_double(handle, Int32(truncatingIfNeeded: index))
    }

    /// A column of the current row, for several accesses with a single lookup.
    @inlinable @inline(__always)
    package func cell(_ index: Int) -> StatementCell {
        StatementCell(value: sqlite3_column_value(handle, Int32(truncatingIfNeeded: index)))
    }

    /// The UTF-8 bytes of a text as stored in the file; they may be invalid and may contain NUL.
    @inlinable
    package func textBytes(_ index: Int) -> UnsafeRawBufferPointer {
        let index = Int32(truncatingIfNeeded: index)
        // The pointer must be read first: this may convert the value, and the byte count then refers to the converted
        // text.
        let start = sqlite3_column_text(handle, index)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
    }

    @inlinable
    package func blobBytes(_ index: Int) -> UnsafeRawBufferPointer {
        let index = Int32(truncatingIfNeeded: index)
        let start = sqlite3_column_blob(handle, index)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
    }
}

/// A value of a row, valid until the next step. Since one thread at a time uses a connection, reading this unprotected
/// value is safe (source: sqlite.org/c3ref/value.html).
@usableFromInline
package struct StatementCell {
    @usableFromInline let value: OpaquePointer?

    @inlinable init(value: OpaquePointer?) { self.value = value }

    @inlinable @inline(__always)
    package var type: ValueType { ValueType(code: sqlite3_value_type(value)) }

    @inlinable @inline(__always)
    package var int64: Int64 { sqlite3_value_int64(value) }

    @inlinable @inline(__always)
    package var double: Double { sqlite3_value_double(value) }
}

extension Statement {
    /// The name of a column in the result.
    package func columnName(_ index: Int) -> String {
        sqlite3_column_name(handle, Int32(clamping: index)).map { String(cString: $0) } ?? ""
    }

    package var columnNames: [String] { (0..<columnCount).map(columnName) }

    /// A text; nil for NULL. Invalid UTF-8 is replaced by U+FFFD.
    package func text(_ index: Int) -> String? {
        isNull(index) ? nil : String(decoding: textBytes(index), as: UTF8.self)
    }

    /// A copy of a column's value.
    package func value(_ index: Int) -> Value {
        switch columnType(index) {
        case .null: .null
        case .integer: .integer(int64(index))
        case .real: .real(double(index))
        case .text: .text(String(decoding: textBytes(index), as: UTF8.self))
        case .blob: .blob(Array(blobBytes(index)))
        }
    }

    /// A copy of the current row.
    package func values() -> [Value] { (0..<columnCount).map(value) }
}
