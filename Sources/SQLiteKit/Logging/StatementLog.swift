import CSQLite

/// Tells of every execution of one connection's statements, in the words of Apple's framework.
///
/// A statement of a connection that has a log asks it before every step; one of a connection without asks once an
/// execution whether there is one. Confined like its connection.
package final class StatementLog {
    private struct Execution {
        let start = ContinuousClock.now
        var stepStart = ContinuousClock.now
        var timeInSQLite = Duration.zero
        var rows = 0
        let changesBefore: Int
    }

    let settings: LogSettings
    private var executions: [OpaquePointer: Execution] = [:]

    package init(_ settings: LogSettings) { self.settings = settings }

    /// Remembers when a further step of an execution begins; false when none is under way.
    func resumes(_ handle: OpaquePointer) -> Bool {
        guard executions[handle] != nil else { return false }
        executions[handle]?.stepStart = .now
        return true
    }

    /// Tells of an execution that begins; false for the plans that the log itself asks for, which it does not follow.
    func begins(_ statement: Statement) -> Bool {
        guard !statement.sql.hasPrefix("EXPLAIN") else { return false }
        tell("sql", statement.sql)
        if settings.level >= .details { tellBindings(of: statement) }
        if settings.level >= .plans { tellPlan(of: statement) }
        _ = StatementCost(takenFrom: statement.handle)
        executions[statement.handle] = Execution(changesBefore: statement.connection.totalChanges)
        return true
    }

    /// SQLite has found a row.
    fileprivate func countRow(of handle: OpaquePointer) {
        guard var execution = executions[handle] else { return }
        execution.rows += 1
        execution.timeInSQLite += .now - execution.stepStart
        executions[handle] = execution
    }

    /// An execution has come to its end, was given up, or failed with a code.
    func ends(_ statement: Statement, code: Int32? = nil) {
        guard var execution = executions.removeValue(forKey: statement.handle) else { return }
        let end = ContinuousClock.now
        if let code {
            execution.timeInSQLite += end - execution.stepStart
            guard code == SQLITE_DONE else {
                return tell("error", "sql failed with SQLite's code \(code) after \(Self.text(end - execution.start))s")
            }
        }
        if statement.columnCount > 0 {
            tell("annotation", "sql connection fetch time: \(Self.text(execution.timeInSQLite))s")
            tell(
                "annotation",
                "total fetch execution time: \(Self.text(end - execution.start))s for \(execution.rows) rows.")
        } else {
            let changed = statement.connection.totalChanges - execution.changesBefore
            let rows = Self.changesRows(statement.sql) ? " for \(changed) rows." : ""
            tell("annotation", "sql execution time: \(Self.text(end - execution.start))s\(rows)")
        }
        if settings.level >= .details { tellCost(of: statement) }
    }

    private func tell(_ kind: String, _ text: String) {
        settings.sink("CoreData: \(kind): \(BoundValue.escaped(text))")
    }
}

extension StatementLog {
    private func tellBindings(of statement: Statement) {
        guard let values = BoundValue.all(of: statement.handle) else {
            return tell("details", "SQLite does not tell the \(statement.parameterCount) bound values")
        }
        for (index, value) in values.enumerated() {
            tell("details", "SQLite bind[\(index)] = \(settings.level >= .values ? value.text : value.kind)")
        }
    }

    private func tellPlan(of statement: Statement) {
        guard statement.isReadOnly, ["SELECT", "WITH"].contains(where: statement.sql.hasPrefix) else { return }
        // The statement itself will say what is wrong with it.
        guard let plan = try? statement.connection.plan(of: statement.sql) else { return }
        for line in plan.lines { tell("details", "query plan: \(line)") }
    }

    private func tellCost(of statement: Statement) {
        let cost = StatementCost(takenFrom: statement.handle)
        tell(
            "details",
            "scan steps: \(cost.scanSteps); sorts: \(cost.sorts); rows in automatic indexes: "
                + "\(cost.automaticIndexRows); instructions: \(cost.instructions)")
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

extension Connection {
    /// What tells of this connection's statements; nil for nothing, which costs one test an execution.
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

private func countRow(_ context: UnsafeMutableRawPointer?, _ statement: UnsafeMutableRawPointer?) -> Int32 {
    guard let context, let statement else { return 0 }
    Unmanaged<StatementLog>.fromOpaque(context).takeUnretainedValue().countRow(of: OpaquePointer(statement))
    return 0
}
