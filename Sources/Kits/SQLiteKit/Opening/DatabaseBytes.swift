import CSQLite

/// Reads the bytes of a file, which may be a database that this process has open.
///
/// Reads through SQLite's VFS, which keeps its descriptor open while another connection of the process holds locks on
/// the file: closing any descriptor of the file would release all of these locks.
package final class DatabaseBytes {
    private let handle: OpaquePointer

    /// Opens a regular file; nil for any other file, and if it cannot be opened.
    package init?(path: String) {
        let file = DatabaseFile(path: path)
        let refusal = file.refusal(mayBeMissing: false)
        guard refusal == nil || refusal == .tooShort else { return nil }
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(file.uri(isImmutable: true), &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            return nil
        }
        self.handle = handle
    }

    deinit { sqlite3_close_v2(handle) }

    /// The size of the file.
    package var count: Int { Int(clamping: max(0, csqlite_file_size(handle))) }

    /// The bytes in a range, fewer at the end of the file; nil if they cannot be read.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        let range = range.clamped(to: 0..<count)
        guard !range.isEmpty else { return [] }
        guard let length = Int32(exactly: range.count) else { return nil }
        var code: Int32 = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            code = csqlite_read_file(handle, start, length, Int64(range.lowerBound))
            filled = code == SQLITE_OK ? range.count : 0
        }
        return code == SQLITE_OK ? bytes : nil
    }

    /// The first bytes of a file; empty if it cannot be read.
    package static func first(_ count: Int, of path: String) -> [UInt8] {
        DatabaseBytes(path: path)?.read(0..<count) ?? []
    }
}
