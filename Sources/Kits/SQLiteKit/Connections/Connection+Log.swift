import CSQLite

extension Connection {
    /// What reports this connection's statements; nil for nothing, which costs one test an execution.
    package var log: StatementLog? {
        get { statementLog }
        set {
            statementLog = newValue
            guard let handle else { return }
            guard let newValue else {
                sqlite3_trace_v2(handle, 0, nil, nil)
                return
            }
            let context = Unmanaged.passUnretained(newValue).toOpaque()
            sqlite3_trace_v2(
                handle, UInt32(SQLITE_TRACE_ROW), { _, context, statement, _ in countRow(context, statement) }, context)
        }
    }
}

extension Connection {
    /// Has a log, and reports waits for locks, while all statements are watched, and not afterwards unless the connection has
    /// a log anyway.
    @inline(__always) func followWatch() {
        if csqlite_statement_watch() != 0 {
            if log == nil { log = StatementLog(nil) }
            if !reportsLockWaits { reportLockWaits(true) }
        } else {
            if let statementLog, statementLog.settings == nil, statementLog.isIdle { log = nil }
            if reportsLockWaits { reportLockWaits(false) }
        }
    }
}

private func countRow(_ context: UnsafeMutableRawPointer?, _ statement: UnsafeMutableRawPointer?) -> Int32 {
    guard let context, let statement else { return 0 }
    Unmanaged<StatementLog>.fromOpaque(context).takeUnretainedValue().countRow(of: OpaquePointer(statement))
    return 0
}
