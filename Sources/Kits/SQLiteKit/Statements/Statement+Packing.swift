import CSQLite

extension Statement {
    /// Binds the cells of a row in memory to the parameters from `first` on: the reverse of `unpack`.
    ///
    /// `bytes` returns the text or blob to which eight bytes of the row refer; the bytes must stay valid until the
    /// parameter is bound again or cleared.
    package func bind(
        _ cells: UnsafeBufferPointer<CellPlacement>, of row: UnsafeRawPointer, from first: Int,
        bytes: (UInt64) -> UnsafeRawBufferPointer
    ) throws(SQLiteError) {
        let first = Int32(clamping: first)
        for cell in cells {
            let index = first &+ cell.column
            let bits = row.load(fromByteOffset: Int(cell.valueOffset), as: UInt64.self)
            let code: Int32
            switch Int32(row.load(fromByteOffset: Int(cell.tagOffset), as: UInt8.self)) {
            case SQLITE_INTEGER: code = sqlite3_bind_int64(handle, index, Int64(bitPattern: bits))
            case SQLITE_FLOAT: code = sqlite3_bind_double(handle, index, Double(bitPattern: bits))
            case SQLITE_TEXT:
                let text = bytes(bits)
                code = csqlite_bind_text_borrowed(handle, index, text.baseAddress, UInt64(text.count))
            case SQLITE_BLOB:
                let blob = bytes(bits)
                code = csqlite_bind_blob_borrowed(handle, index, blob.baseAddress, UInt64(blob.count))
            default: code = sqlite3_bind_null(handle, index)
            }
            guard code == SQLITE_OK else {
                throw SQLiteError(
                    code: code, attempt: "bind parameter \(index)", sql: sql, on: sqlite3_db_handle(handle))
            }
        }
    }
}
