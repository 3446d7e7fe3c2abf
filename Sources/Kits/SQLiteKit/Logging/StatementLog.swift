import CSQLite

/// Reports every execution of one connection's statements: as log lines like those of Apple's framework, and to the
/// watch.
///
/// On a connection with a log, a statement calls it before every step; on one without, it checks once per execution.
/// Statements are identified by their handles. Has the connection's confinement.
package final class StatementLog {
    private struct Execution {
        let start = ContinuousClock.now
        var stepStart = ContinuousClock.now
        var timeInSQLite = Duration.zero
        var rows = 0
        let sql: String
        let changesBefore: Int
    }

    /// The settings of the log; nil if only the watch is notified.
    let settings: LogSettings?
    private var executions: [OpaquePointer: Execution] = [:]
    private let watched = WatchedStatements()

    package init(_ settings: LogSettings?) { self.settings = settings }

    /// Whether no execution is running.
    var isIdle: Bool { executions.isEmpty && watched.isIdle }

    /// Records the start of a further step; returns false if the statement has no running execution.
    func resumes(_ handle: OpaquePointer) -> Bool {
        guard settings != nil, executions[handle] != nil else { return false }
        executions[handle]?.stepStart = .now
        return true
    }

    /// Reports the start of an execution; returns whether the log needs every step: not for EXPLAIN, nor for the watch
    /// only.
    func begins(_ statement: OpaquePointer, sql: String) -> Bool {
        watched.begins(statement, sql: sql)
        guard let settings, !sql.hasPrefix("EXPLAIN") else { return false }
        emit("sql", sql)
        if settings.level >= .details { logBindings(of: statement, settings) }
        if settings.level >= .plans { logPlan(of: statement, sql) }
        _ = StatementCost(takenFrom: statement)
        executions[statement] = Execution(sql: sql, changesBefore: Self.changes(on: statement))
        return true
    }

    /// Counts a row of an execution; called by SQLite's trace callback.
    func countRow(of handle: OpaquePointer) {
        // Kept cheap, since it runs for each row.
        watched.countRow(of: handle)
        guard settings != nil, var execution = executions[handle] else { return }
        execution.rows += 1
        execution.timeInSQLite += .now - execution.stepStart
        executions[handle] = execution
    }

    /// Reports the end of an execution: finished or failed (`code`), or abandoned (nil).
    func ends(_ statement: OpaquePointer, code: Int32? = nil) {
        guard let settings else { return watched.ends(statement, code: code) }
        let execution = executions.removeValue(forKey: statement)
        let end = ContinuousClock.now
        // The watch then reads the same counters, and resets them.
        let cost = settings.level >= .details ? StatementCost(of: statement) : nil
        watched.ends(statement, code: code)
        guard var execution else { return }
        if let code {
            execution.timeInSQLite += end - execution.stepStart
            guard code == SQLITE_DONE else {
                return emit("error", "sql failed with SQLite's code \(code) after \(Self.text(end - execution.start))s")
            }
        }
        if sqlite3_column_count(statement) > 0 {
            emit("annotation", "sql connection fetch time: \(Self.text(execution.timeInSQLite))s")
            emit(
                "annotation",
                "total fetch execution time: \(Self.text(end - execution.start))s for \(execution.rows) rows.")
        } else {
            let changed = Self.changes(on: statement) - execution.changesBefore
            let rows = Self.changesRows(execution.sql) ? " for \(changed) rows." : ""
            emit("annotation", "sql execution time: \(Self.text(end - execution.start))s\(rows)")
        }
        if let cost { log(cost) }
    }

    private func emit(_ kind: String, _ text: String) {
        settings?.sink("CoreData: \(kind): \(BoundValue.escaped(text))")
    }
}

extension StatementLog {
    private func logBindings(of statement: OpaquePointer, _ settings: LogSettings) {
        guard let values = BoundValue.all(of: statement) else {
            let count = sqlite3_bind_parameter_count(statement)
            return emit("details", "SQLite does not tell the \(count) bound values")
        }
        for (index, value) in values.enumerated() {
            emit("details", "SQLite bind[\(index)] = \(settings.level >= .values ? value.text : value.kind)")
        }
    }

    private func logPlan(of statement: OpaquePointer, _ sql: String) {
        for line in Self.plan(of: statement, sql) { emit("details", "query plan: \(line)") }
    }

    /// The lines of the query plan; empty for statements that are not queries.
    static func plan(of statement: OpaquePointer, _ sql: String) -> [String] {
        guard sqlite3_stmt_readonly(statement) != 0, ["SELECT", "WITH"].contains(where: sql.hasPrefix) else {
            return []
        }
        // Ignores errors, which executing the statement will report.
        guard let database = sqlite3_db_handle(statement), let plan = try? QueryPlan(of: sql, on: database) else {
            return []
        }
        return plan.lines
    }

    private func log(_ cost: StatementCost) {
        emit(
            "details",
            "scan steps: \(cost.scanSteps); sorts: \(cost.sorts); rows in automatic indexes: "
                + "\(cost.automaticIndexRows); instructions: \(cost.instructions)")
    }

    /// The number of rows changed on a statement's connection since it was opened.
    private static func changes(on statement: OpaquePointer) -> Int {
        Int(sqlite3_total_changes64(sqlite3_db_handle(statement)))
    }

    private static func changesRows(_ sql: String) -> Bool {
        ["INSERT", "UPDATE", "DELETE", "REPLACE"].contains(where: sql.hasPrefix)
    }

    /// The seconds with four decimals, as Apple's framework writes them.
    private static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let parts = String(attoseconds / 100_000_000_000_000)
        return "\(seconds)." + String(repeating: "0", count: max(0, 4 - parts.count)) + parts
    }
}
