import Synchronization

/// Lines on standard error that are written once, however often there is a reason.
package enum ReportedOnce {
    /// More different lines than this are not told apart any more, so that memory stays bounded.
    private static let most = 1_000

    /// Guards the lines that have been written.
    private static let lines = Mutex<Set<String>>([])

    /// Writes a line unless it has been written; true where it is new.
    @discardableResult
    package static func report(_ line: String) -> Bool {
        let isNew = lines.withLock { lines in lines.count < most && lines.insert(line).inserted }
        guard isNew else { return false }
        // The form of `write` that does not throw stops the program where standard error is closed or full.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
        return true
    }
}
