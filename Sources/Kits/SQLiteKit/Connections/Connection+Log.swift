import CSQLite

extension Connection {
    /// Reports this connection's statements; nil for no reports, which costs one test per execution.
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
    /// Installs a log and the reporting busy handler while a `StatementWatch` is set, and removes them afterwards; a
    /// log with settings of its own stays.
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
