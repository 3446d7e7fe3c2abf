import CSQLite

/// SQLite's counters for a statement.
package struct StatementCost: Sendable, Equatable {
    /// The number of steps in full scans of tables or indexes, for lack of a suitable index.
    package let scanSteps: Int
    /// The number of sort operations.
    package let sorts: Int
    /// The number of rows inserted into automatic indexes.
    package let automaticIndexRows: Int
    /// The number of instructions of SQLite's virtual machine.
    package let instructions: Int
}

extension StatementCost {
    /// The counts since the counters were last reset; resets them.
    init(takenFrom handle: OpaquePointer) { self.init(handle, reset: 1) }

    /// The counts since the counters were last reset; does not reset them.
    init(of handle: OpaquePointer) { self.init(handle, reset: 0) }

    private init(_ handle: OpaquePointer, reset: Int32) {
        func count(_ operation: Int32) -> Int { Int(sqlite3_stmt_status(handle, operation, reset)) }
        scanSteps = count(SQLITE_STMTSTATUS_FULLSCAN_STEP)
        sorts = count(SQLITE_STMTSTATUS_SORT)
        automaticIndexRows = count(SQLITE_STMTSTATUS_AUTOINDEX)
        instructions = count(SQLITE_STMTSTATUS_VM_STEP)
    }
}
