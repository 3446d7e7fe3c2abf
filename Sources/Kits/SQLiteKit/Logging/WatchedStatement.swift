import CSQLite

/// What is the same of all executions of a watched statement, so that it is found out once; and the one under way.
///
/// Confined like its connection.
final class WatchedStatement {
    let handle: OpaquePointer
    let sql: String
    /// The lines of the plan of a query, with line breaks between them; empty until it is requested.
    private(set) var plan = ""
    private var hasPlan = false
    /// The name of the database's file; empty in memory.
    let file: String
    private let findsRows: Bool
    /// When the execution under way began; 0 for none.
    private var start: UInt64 = 0
    private var changesBefore = 0
    /// The rows that the execution under way has found.
    var rows = 0

    /// Nil for a statement that asks for a plan itself, which is not reported.
    init?(_ handle: OpaquePointer, sql: String, includingPlan: Bool = true) {
        guard !sql.hasPrefix("EXPLAIN") else { return nil }
        self.handle = handle
        self.sql = sql
        file =
            sqlite3_db_handle(handle).flatMap { sqlite3_db_filename($0, "main") }
            .map { Self.fileName(of: String(cString: $0)) } ?? ""
        findsRows = sqlite3_column_count(handle) > 0
        if includingPlan { findPlan() }
        // Discards the counts of unwatched executions.
        _ = StatementCost(takenFrom: handle)
    }

    var isUnderWay: Bool { start != 0 }

    /// Asks SQLite for the plan, the first time.
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

    /// The execution that was under way, and the code of its last step if that is known.
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

    /// Rows changed on the connection since it was opened.
    private var changes: Int { Int(sqlite3_total_changes64(sqlite3_db_handle(handle))) }

    /// The name by its bytes: to look for it character by character takes long.
    static func fileName(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
