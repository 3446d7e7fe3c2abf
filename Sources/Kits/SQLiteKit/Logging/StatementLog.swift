import CSQLite

/// Reports every execution of one connection's statements, in the words of Apple's framework, and `StatementWatch` of it.
///
/// A statement of a connection that has a log asks it before every step; one of a connection without asks once an
/// execution whether there is one. Statements are known by their handles. Confined like the connection.
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

    /// Whether no execution is under way.
    var isIdle: Bool { executions.isEmpty && watched.isIdle }

    /// Remembers when a further step of an execution begins; false when none is under way.
    func resumes(_ handle: OpaquePointer) -> Bool {
        guard settings != nil, executions[handle] != nil else { return false }
        executions[handle]?.stepStart = .now
        return true
    }

    /// Reports an execution that begins; returns whether the log needs each step. It does not follow a query for a plan, and
    /// the watch does not use the steps.
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

    /// SQLite has found a row.
    func countRow(of handle: OpaquePointer) {
        // As cheap as can be: it is done for each row.
        watched.countRow(of: handle)
        guard settings != nil, var execution = executions[handle] else { return }
        execution.rows += 1
        execution.timeInSQLite += .now - execution.stepStart
        executions[handle] = execution
    }

    /// An execution ended, was abandoned, or failed with a code.
    func ends(_ statement: OpaquePointer, code: Int32? = nil) {
        guard let settings else { return watched.ends(statement, code: code) }
        let execution = executions.removeValue(forKey: statement)
        let end = ContinuousClock.now
        // The watch asks the same counters, which are reset when they are read.
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

    /// The lines of a query's plan; none for other statements.
    static func plan(of statement: OpaquePointer, _ sql: String) -> [String] {
        guard sqlite3_stmt_readonly(statement) != 0, ["SELECT", "WITH"].contains(where: sql.hasPrefix) else {
            return []
        }
        // The statement itself will say what is wrong with it.
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

    /// Rows changed on a statement's connection since it was opened.
    private static func changes(on statement: OpaquePointer) -> Int {
        Int(sqlite3_total_changes64(sqlite3_db_handle(statement)))
    }

    private static func changesRows(_ sql: String) -> Bool {
        ["INSERT", "UPDATE", "DELETE", "REPLACE"].contains(where: sql.hasPrefix)
    }

    /// Seconds with four places, as Apple's framework writes them.
    private static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let parts = String(attoseconds / 100_000_000_000_000)
        return "\(seconds)." + String(repeating: "0", count: max(0, 4 - parts.count)) + parts
    }
}
