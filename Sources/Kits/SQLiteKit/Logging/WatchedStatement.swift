import CSQLite

/// A watched statement: the facts that are the same for all of its executions, and its running execution.
///
/// Has the connection's confinement.
final class WatchedStatement {
    let handle: OpaquePointer
    let sql: String
    /// The lines of the query plan, separated by line breaks; empty until it is read.
    private(set) var plan = ""
    private var hasPlan = false
    /// The name of the database file; empty for a database in memory.
    let file: String
    private let findsRows: Bool
    /// When the running execution began; 0 if none is running.
    private var start: UInt64 = 0
    private var changesBefore = 0
    /// The number of rows that the running execution has returned.
    var rows = 0

    /// Nil for an EXPLAIN statement, which is not reported.
    init?(_ handle: OpaquePointer, sql: String, includingPlan: Bool = true) {
        guard !sql.hasPrefix("EXPLAIN") else { return nil }
        self.handle = handle
        self.sql = sql
        file =
            sqlite3_db_handle(handle).flatMap { sqlite3_db_filename($0, "main") }
            .map { Self.fileName(of: String(cString: $0)) } ?? ""
        findsRows = sqlite3_column_count(handle) > 0
        if includingPlan { findPlan() }
        // Discards the counters of executions that were not watched.
        _ = StatementCost(takenFrom: handle)
    }

    var isUnderWay: Bool { start != 0 }

    /// Reads the plan from SQLite, in the first call only.
    func findPlan() {
        guard !hasPlan else { return }
        hasPlan = true
        plan = StatementLog.plan(of: handle, sql).joined(separator: "\n")
    }

    func begin() {
        rows = 0
        if !findsRows { changesBefore = changes }
        start = csqlite_monotonic_time()
    }

    /// Ends the running execution and returns it; `code` is the result of its last step, if known.
    func end(for watch: StatementWatch, code: Int32? = nil) -> StatementExecution {
        defer { start = 0 }
        return StatementExecution(
            sql: sql, plan: watch.includesPlans ? plan : "", file: file, start: start,
            end: csqlite_monotonic_time(),
            rows: findsRows ? rows : changes - changesBefore, findsRows: findsRows,
            scanSteps: Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)),
            sorts: Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_SORT, 1)),
            failure: code.flatMap { $0 == SQLITE_DONE ? nil : ResultCode(rawValue: $0) },
            values: watch.includesValues ? BoundValue.all(of: handle)?.map(\.text) : nil)
    }

    /// The number of rows changed on the connection since it was opened.
    private var changes: Int { Int(sqlite3_total_changes64(sqlite3_db_handle(handle))) }

    /// The last path component. Searches the UTF-8 bytes, since searching characters is slow.
    static func fileName(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
