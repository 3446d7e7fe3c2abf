import CSQLite

/// Where the value of one result column is stored in the caller's memory.
package struct CellPlacement {
    package let column: Int32
    /// The offset of the tag byte: SQLite's number of the storage class; not written for NULL.
    package let tagOffset: Int32
    /// The offset of the eight bytes of an integer or real, or of what the caller's `keep` returned for a text or blob.
    package let valueOffset: Int32

    package init(column: Int, tagOffset: Int, valueOffset: Int) {
        self.column = Int32(clamping: column)
        self.tagOffset = Int32(clamping: tagOffset)
        self.valueOffset = Int32(clamping: valueOffset)
    }
}

extension Statement {
    /// Copies columns of the current row into memory; the tags of NULL values are not written.
    ///
    /// The memory must be large enough for every offset. `keep` stores the bytes of a text or blob, which are valid
    /// until the next step, and returns the eight bytes that refer to them.
    package func unpack(
        _ cells: UnsafeBufferPointer<CellPlacement>, into row: UnsafeMutableRawPointer,
        keep: (UnsafeRawBufferPointer) -> UInt64
    ) {
        for cell in cells {
            // One lookup per column. A column's value may be read directly if only one thread uses the connection, as
            // this module requires; this saves the lookup in functions such as `sqlite3_column_type`.
            let value = sqlite3_column_value(handle, cell.column)
            let type = sqlite3_value_type(value)
            let bits: UInt64
            switch type {
            case SQLITE_INTEGER: bits = UInt64(bitPattern: sqlite3_value_int64(value))
            case SQLITE_FLOAT: bits = sqlite3_value_double(value).bitPattern
            case SQLITE_TEXT:
                let text = sqlite3_value_text(value)
                bits = keep(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
            case SQLITE_BLOB:
                let blob = sqlite3_value_blob(value)
                bits = keep(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value))))
            default: continue
            }
            row.storeBytes(of: UInt8(truncatingIfNeeded: type), toByteOffset: Int(cell.tagOffset), as: UInt8.self)
            row.storeBytes(of: bits, toByteOffset: Int(cell.valueOffset), as: UInt64.self)
        }
    }
}
