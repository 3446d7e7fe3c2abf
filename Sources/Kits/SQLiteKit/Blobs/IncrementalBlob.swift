import CSQLite

/// A blob or text in a table, parts of which are read or written without the rest (SQLite's incremental I/O).
///
/// Invariants:
/// 1. While it is open, the connection's read transaction stays open, so that all reads see one state.
/// 2. Used by one thread at a time together with its connection; closed when it is deallocated.
package final class IncrementalBlob {
    /// The size of the value in bytes.
    package let count: Int
    private let connection: Connection
    private let handle: OpaquePointer

    /// Opens a blob or a text.
    ///
    /// - Parameter isWritten: whether bytes are to be written; it must then be released before the transaction ends.
    /// - Throws: `SQLiteError`, also if the row does not exist, or its value is null or a number.
    package init(
        _ connection: Connection, table: String, column: String, row: Int64, isWritten: Bool = false
    ) throws(SQLiteError) {
        let database = try connection.open(for: "open a value")
        var opened: OpaquePointer?
        let code = sqlite3_blob_open(database, "main", table, column, row, isWritten ? 1 : 0, &opened)
        guard code == SQLITE_OK, let opened else {
            throw SQLiteError(code: code, attempt: "open a value", on: database)
        }
        handle = opened
        count = Int(sqlite3_blob_bytes(opened))
        self.connection = connection
    }

    deinit {
        if connection.isOwner { sqlite3_blob_close(handle) }
    }

    /// Fills the buffer with bytes of the value, beginning at an offset.
    ///
    /// - Throws: `SQLiteError`: `misuse` for a range outside of the value, others if the row has changed since.
    package func read(_ buffer: UnsafeMutableRawBufferPointer, at place: Int) throws(SQLiteError) {
        try require(buffer.count, at: place, "read a value")
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return }
        let code = sqlite3_blob_read(handle, start, Int32(clamping: buffer.count), Int32(clamping: place))
        try connection.check(code, "read a value")
    }

    /// Overwrites bytes of the value, beginning at an offset.
    ///
    /// - Throws: `SQLiteError`: `misuse` for a range outside of the value, others if it was opened for reading only.
    package func write(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(SQLiteError) {
        try require(bytes.count, at: place, "write a value")
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let code = sqlite3_blob_write(handle, start, Int32(clamping: bytes.count), Int32(clamping: place))
        try connection.check(code, "write a value")
    }

    private func require(_ size: Int, at place: Int, _ attempt: String) throws(SQLiteError) {
        guard place >= 0, size <= count, place <= count - size else {
            throw SQLiteError(
                code: .misuse, attempt: attempt, message: "the part is not within the value's \(count) bytes")
        }
        _ = try connection.open(for: attempt)
    }
}
