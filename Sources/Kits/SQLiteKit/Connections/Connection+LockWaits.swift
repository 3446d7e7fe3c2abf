import CSQLite

extension Connection {
    /// Chooses between SQLite's own busy handler and `waitForLock`, which reports waits to the watch.
    func reportLockWaits(_ reports: Bool) {
        reportsLockWaits = reports
        applyBusyTimeout()
    }

    /// Installs the busy handler. Each such call replaces the connection's previous busy handler.
    func applyBusyTimeout() {
        guard let handle else { return }
        guard reportsLockWaits, busyMilliseconds > 0 else {
            sqlite3_busy_timeout(handle, busyMilliseconds)
            return
        }
        sqlite3_busy_handler(
            handle, { connection, attempt in waitForLock(connection, attempt) },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// How long SQLite's own busy handler has waited before an attempt, and how long it then waits, in milliseconds.
    ///
    /// Source: `sqliteDefaultBusyCallback` in SQLite's main.c.
    static func lockDelay(before attempt: Int32) -> (waited: Int32, delay: Int32) {
        let delays: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]
        let totals: [Int32] = [0, 1, 3, 8, 18, 33, 53, 78, 103, 128, 178, 228]
        let last = delays.count - 1
        if attempt <= last { return (totals[Int(attempt)], delays[Int(attempt)]) }
        let (longer, overflows) = (attempt - Int32(last)).multipliedReportingOverflow(by: delays[last])
        let (waited, exceeds) = longer.addingReportingOverflow(totals[last])
        return (overflows || exceeds ? .max : waited, delays[last])
    }

    /// Waits once more for another connection's lock; returns false when `busyMilliseconds` have passed.
    fileprivate func waitOnce(_ attempt: Int32) -> Bool {
        if attempt == 0 { StatementWatch.current?.lockWait(fileName) }
        let (waited, delay) = Self.lockDelay(before: max(0, attempt))
        let left = min(delay, busyMilliseconds > waited ? busyMilliseconds - waited : 0)
        guard left > 0 else { return false }
        sqlite3_sleep(left)
        return true
    }

    private var fileName: String { path.map { WatchedStatement.fileName(of: $0) } ?? "" }
}

/// SQLite calls this only within a call on the connection, so the connection exists.
private func waitForLock(_ connection: UnsafeMutableRawPointer?, _ attempt: Int32) -> Int32 {
    guard let connection else { return 0 }
    return Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().waitOnce(attempt) ? 1 : 0
}
