import CSQLite
import Synchronization

/// A finished execution of a statement.
package struct StatementExecution: Sendable {
    package let sql: String
    /// The lines of the query plan, separated by line breaks; empty for other statements.
    package let plan: String
    /// The name of the database file; empty for a database in memory.
    package let file: String
    /// When the first step began, in nanoseconds of the monotonic clock.
    package let start: UInt64
    /// When the last step ended; the time between steps is included.
    package let end: UInt64
    /// The number of rows returned, or changed by a statement that returns none.
    package let rows: Int
    /// Whether the statement returns rows.
    package let findsRows: Bool
    /// The number of steps in full scans of tables and indexes.
    package let scanSteps: Int
    package let sorts: Int
    /// The result code with which the last step failed; nil if it succeeded.
    package let failure: ResultCode?
    /// The bound values as texts; nil unless the watch includes values.
    package let values: [String]?
}

/// Observes the executions of all statements of the process, on the threads that execute them.
///
/// Applies also to open connections: each statement checks once per execution whether there is a watch.
package struct StatementWatch: Sendable {
    package let includesValues: Bool
    package let includesPlans: Bool
    let report: @Sendable (StatementExecution) -> Void
    /// Called with the name of the database file when a connection begins to wait for another connection's lock.
    let lockWait: @Sendable (String) -> Void

    /// If `includingPlans` is true, the plan of each query is read from SQLite, once for each statement.
    package init(
        includingValues: Bool, includingPlans: Bool = true, lockWait: @escaping @Sendable (String) -> Void = { _ in },
        _ report: @escaping @Sendable (StatementExecution) -> Void
    ) {
        includesValues = includingValues
        includesPlans = includingPlans
        self.lockWait = lockWait
        self.report = report
    }

    /// The watch of the process; nil, the initial value, for none.
    package static var current: StatementWatch? {
        get { state.withLock { $0.watch } }
        set {
            state.withLock { state in
                state.watch = newValue
                if newValue != nil { state.number = state.number == .max ? 1 : state.number + 1 }
                csqlite_set_statement_watch(newValue == nil ? 0 : state.number)
            }
        }
    }

    private struct State {
        var watch: StatementWatch?
        /// Incremented with each watch, so that connections notice that the watch has changed.
        var number: Int32 = 0
    }

    private static let state = Mutex(State())
}
