import CSQLite

/// One value of a table, of which parts are read without the rest.
///
/// Invariants:
/// 1. The connection stays in one state of the database while it is there, so what is read belongs together.
/// 2. It is used by one thread at a time with its connection, and closed when it is let go of.
package final class IncrementalBlob {
    /// The number of bytes of the value.
    package let count: Int
    private let connection: Connection
    private let handle: OpaquePointer

    /// Opens a blob or a text.
    ///
    /// - Throws: `SQLiteError`, also where there is no such row, or its value is null or a number.
    package init(_ connection: Connection, table: String, column: String, row: Int64) throws(SQLiteError) {
        let database = try connection.open(for: "open a value")
        var opened: OpaquePointer?
        let code = sqlite3_blob_open(database, "main", table, column, row, 0, &opened)
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

    /// Reads as many bytes as the buffer takes, from a place on.
    ///
    /// - Throws: `SQLiteError`: `misuse` for what is not within the value; also for a row that was changed since.
    package func read(_ buffer: UnsafeMutableRawBufferPointer, at place: Int) throws(SQLiteError) {
        guard place >= 0, buffer.count <= count, place <= count - buffer.count else {
            throw SQLiteError(
                code: .misuse, attempt: "read a value", message: "the part is not within the value's \(count) bytes")
        }
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return }
        _ = try connection.open(for: "read a value")
        let code = sqlite3_blob_read(handle, start, Int32(clamping: buffer.count), Int32(clamping: place))
        try connection.check(code, "read a value")
    }
}
