import CSQLite
import Synchronization

/// What one execution of a statement came to.
package struct StatementExecution: Sendable {
    package let sql: String
    /// The lines of the plan of a query, with line breaks between them; empty for other statements.
    package let plan: String
    /// The name of the database's file; empty in memory.
    package let file: String
    /// When the first step began, in nanoseconds of the monotonic clock.
    package let start: UInt64
    /// When the last step was over, what was done with the rows in between included.
    package let end: UInt64
    /// The rows found, or changed by a statement that finds none.
    package let rows: Int
    /// Whether the statement finds rows.
    package let findsRows: Bool
    /// Moves from row to row in tables and complete indexes.
    package let scanSteps: Int
    package let sorts: Int
    /// The code with which the last step failed; nil if it did not.
    package let failure: ResultCode?
    /// The bound values as texts; nil unless the watch requests them.
    package let values: [String]?
}

/// An observer of the executions of all statements of the process, on the threads that execute them.
///
/// Connections that are open already are followed too: each statement asks once an execution whether there is a watch.
package struct StatementWatch: Sendable {
    package let includesValues: Bool
    package let includesPlans: Bool
    let report: @Sendable (StatementExecution) -> Void
    /// Called when a connection begins to wait for a lock of another one, with the name of the database's file.
    let lockWait: @Sendable (String) -> Void

    /// `includingPlans` requests the plan of each query from SQLite, once for each statement.
    package init(
        includingValues: Bool, includingPlans: Bool = true, lockWait: @escaping @Sendable (String) -> Void = { _ in },
        _ report: @escaping @Sendable (StatementExecution) -> Void
    ) {
        includesValues = includingValues
        includesPlans = includingPlans
        self.lockWait = lockWait
        self.report = report
    }

    /// The watch of the process; nil for none, as at first.
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
        /// Those who execute statements know by its number that the watch is another one.
        var number: Int32 = 0
    }

    private static let state = Mutex(State())
}
