import CSQLite
import Synchronization

/// What one execution of a statement came to.
package struct StatementExecution: Sendable {
    package let sql: String
    /// The lines of the plan of a query; none for other statements.
    package let plan: [String]
    /// From the first step to the last, what was done with the rows in between included.
    package let duration: Duration
    /// The rows found, or changed by a statement that finds none.
    package let rows: Int
    /// Moves from row to row in tables and whole indexes.
    package let scanSteps: Int
    package let sorts: Int
    /// The bound values as texts; nil unless the watch asks for them.
    package let values: [String]?
    /// The file of the database; empty in memory.
    package let path: String
}

/// Somebody who is told of the executions of all statements of the process, on the threads that execute them.
///
/// Connections that are open already are followed too: each statement asks once an execution whether there is a watch.
package struct StatementWatch: Sendable {
    package let includesValues: Bool
    let tell: @Sendable (StatementExecution) -> Void

    package init(includingValues: Bool, _ tell: @escaping @Sendable (StatementExecution) -> Void) {
        includesValues = includingValues
        self.tell = tell
    }

    /// The watch of the process; nil for none, as at first.
    package static var current: StatementWatch? {
        get { watch.withLock { $0 } }
        set {
            watch.withLock { $0 = newValue }
            csqlite_watch_statements(newValue == nil ? 0 : 1)
        }
    }

    private static let watch = Mutex<StatementWatch?>(nil)
}
