import CSQLite

/// Which commit a write-ahead log ends with: no two commits of a file have the same.
package struct LogState: Hashable, Sendable {
    /// The frames in the log; 0 where all is in the file itself.
    package let frames: UInt32
    /// Number of frames and of pages, the running checksum of all frames, and the random numbers of this log.
    package let identity: [UInt8]
}

extension Connection {
    /// The last commit of a file in write-ahead mode that this connection has read, of any connection; nil in another mode.
    ///
    /// What the connection itself sees is this commit if the answer is the same before and after its transaction began.
    package func logState(of schema: String = "main") -> LogState? {
        guard let handle, isOwner else { return nil }
        var header = [UInt8](repeating: 0, count: Int(CSQLITE_LOG_HEADER_SIZE))
        guard csqlite_log_header(handle, schema, &header) == 1 else { return nil }
        // Source: sqlite.org/walformat.html. From byte 16: mxFrame, nPage, aFrameCksum, aSalt.
        let frames = header[16..<20].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        return LogState(frames: frames, identity: Array(header[16..<40]))
    }
}
