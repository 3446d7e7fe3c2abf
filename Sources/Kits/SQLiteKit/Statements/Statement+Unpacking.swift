import CSQLite

/// The place of one column of a result row in a caller's memory.
package struct CellPlacement {
    package let column: Int32
    /// The offset of the byte with the storage class: SQLite's number of it, or not written for NULL.
    package let tagOffset: Int32
    /// The offset of the eight bytes of an integer or real, or of the result of the caller's heap for a text or blob.
    package let valueOffset: Int32

    package init(column: Int, tagOffset: Int, valueOffset: Int) {
        self.column = Int32(clamping: column)
        self.tagOffset = Int32(clamping: tagOffset)
        self.valueOffset = Int32(clamping: valueOffset)
    }
}

extension Statement {
    /// Unpacks columns of the present row into memory; tags of NULLs are left as they are.
    ///
    /// The memory must have room at every offset. `keep` stores the bytes of a text or blob, which are valid until the
    /// next step, and returns what to put in their place.
    package func unpack(
        _ cells: UnsafeBufferPointer<CellPlacement>, into row: UnsafeMutableRawPointer,
        keep: (UnsafeRawBufferPointer) -> UInt64
    ) {
        for cell in cells {
            // One look-up a column. A value from a row may be asked directly while only one thread uses the connection,
            // which is this module's rule; it saves the second look-up of `sqlite3_column_type` and its kin.
            let value = sqlite3_column_value(handle, cell.column)
            let type = sqlite3_value_type(value)
            let bits: UInt64
            // The most frequent class first, by a branch: the jump table of a switch takes longer.
            if type == SQLITE_INTEGER {
                bits = UInt64(bitPattern: sqlite3_value_int64(value))
            } else {
                switch type {
                case SQLITE_FLOAT: bits = sqlite3_value_double(value).bitPattern
                case SQLITE_TEXT:
                    let text = sqlite3_value_text(value)
                    bits = keep(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
                case SQLITE_BLOB:
                    let blob = sqlite3_value_blob(value)
                    bits = keep(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value))))
                default: continue
                }
            }
            row.storeBytes(of: UInt8(truncatingIfNeeded: type), toByteOffset: Int(cell.tagOffset), as: UInt8.self)
            row.storeBytes(of: bits, toByteOffset: Int(cell.valueOffset), as: UInt64.self)
        }
    }
}
