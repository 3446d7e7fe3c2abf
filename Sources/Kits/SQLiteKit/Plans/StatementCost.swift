import CSQLite

/// What SQLite counted while a statement was executed.
package struct StatementCost: Sendable, Equatable {
    /// Moves from one row to the next in complete scans of tables or indexes, for lack of a suitable index.
    package let scanSteps: Int
    /// Sorts in temporary b-trees.
    package let sorts: Int
    /// Rows put into indexes that were made for this execution only.
    package let automaticIndexRows: Int
    /// Instructions of SQLite's virtual machine.
    package let instructions: Int
}

extension StatementCost {
    /// What was counted since the counters were last taken; they are at zero then.
    init(takenFrom handle: OpaquePointer) { self.init(handle, reset: 1) }

    /// What was counted since the counters were last taken.
    init(of handle: OpaquePointer) { self.init(handle, reset: 0) }

    private init(_ handle: OpaquePointer, reset: Int32) {
        func count(_ operation: Int32) -> Int { Int(sqlite3_stmt_status(handle, operation, reset)) }
        scanSteps = count(SQLITE_STMTSTATUS_FULLSCAN_STEP)
        sorts = count(SQLITE_STMTSTATUS_SORT)
        automaticIndexRows = count(SQLITE_STMTSTATUS_AUTOINDEX)
        instructions = count(SQLITE_STMTSTATUS_VM_STEP)
    }
}
