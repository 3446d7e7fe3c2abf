import CSQLite

/// Identifies the last commit in a write-ahead log; no two commits of a file have equal states.
package struct LogState: Hashable, Sendable {
    /// The number of frames in the log; 0 if the database file contains everything.
    package let frames: UInt32
    /// The number of frames and pages, the checksum of all frames, and the salt values of the log.
    package let identity: [UInt8]
}

extension Connection {
    /// The last commit, by any connection, that this connection has read; nil unless the database is in WAL mode.
    ///
    /// The connection's transaction sees this commit if the result is the same before and after the transaction began.
    package func logState(of schema: String = "main") -> LogState? {
        guard let handle, isOwner else { return nil }
        var header = [UInt8](repeating: 0, count: Int(CSQLITE_LOG_HEADER_SIZE))
        guard csqlite_log_header(handle, schema, &header) == 1 else { return nil }
        // Source: sqlite.org/walformat.html. From byte 16: mxFrame, nPage, aFrameCksum, aSalt.
        let frames = header[16..<20].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        return LogState(frames: frames, identity: Array(header[16..<40]))
    }
}
