import CSQLite

/// One connection to one SQLite database, opened without SQLite's own mutexes.
///
/// Invariants:
/// 1. One thread at a time uses a connection and everything made from it (statements, backups, catalogs). The owner
///    ensures that with its queue or lock; the class is not `Sendable`. Only `interrupter` may be used elsewhere.
/// 2. Every `Statement` retains its connection, so the handle outlives all statements. After an explicit `close()`
///    SQLite keeps the handle until the last statement is finalized.
/// 3. A process that was forked from the one that opened the connection may neither use nor close it.
package final class Connection {
    /// SQLite's version as a number: 3040001 for 3.40.1.
    package static let libraryVersion = Int(sqlite3_libversion_number())

    /// The path with which it was opened; nil for a database in memory.
    package let path: String?
    /// Interrupts the running statement, from any thread.
    package let interrupter: Interrupter
    // The properties that every step uses are accessed by one thread at a time, and no access overlaps another one.
    /// The number of executions of statements that were started on this connection.
    @exclusivity(unchecked) package internal(set) var statementCount = 0
    /// Called with the SQL text, without bound values, whenever an execution starts.
    package var trace: ((String) -> Void)?

    @exclusivity(unchecked) var handle: OpaquePointer?
    var cache = StatementCache()
    @exclusivity(unchecked) var guardian: ExecutionGuard?
    @exclusivity(unchecked) var statementLog: StatementLog?
    var authorizer: StatementAuthorizer?
    /// How long a call waits for another connection's lock, in milliseconds.
    var busyMilliseconds: Int32 = 0
    /// Whether waits for locks are reported to the `StatementWatch`.
    var reportsLockWaits = false
    private let owner = csqlite_process_generation()

    init(handle: OpaquePointer, path: String?) {
        self.handle = handle
        self.path = path
        interrupter = Interrupter(handle)
    }

    deinit { close() }

    /// Closes the file. Later calls throw; statements that are still referenced stay valid until they are released.
    package func close() {
        guard let handle, isOwner else { return }
        interrupter.detach()
        cache.removeAll()
        sqlite3_close_v2(handle)
        self.handle = nil
    }

    /// Whether this process opened the connection, rather than the process from which it was forked.
    @inline(__always) var isOwner: Bool { csqlite_process_generation() == owner }

    /// The handle; throws if the connection cannot be used for `attempt`.
    func open(for attempt: @autoclosure () -> String) throws(SQLiteError) -> OpaquePointer {
        guard isOwner else {
            throw SQLiteError(
                code: .misuse, attempt: attempt(), message: "the connection was opened before the process was forked",
                hint: "open a new connection in the child process")
        }
        guard let handle else {
            throw SQLiteError(code: .misuse, attempt: attempt(), message: "the connection is closed")
        }
        return handle
    }

    /// Throws unless a call succeeded.
    func check(_ code: Int32, _ attempt: @autoclosure () -> String) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        throw SQLiteError(code: code, attempt: attempt(), on: handle)
    }
}

extension Connection {
    /// The number of rows that the last INSERT, UPDATE or DELETE changed, without those changed by triggers.
    package var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

    /// The number of rows changed since the connection was opened, including those changed by triggers.
    package var totalChanges: Int { handle.map { Int(sqlite3_total_changes64($0)) } ?? 0 }

    /// The rowid of the last row that this connection inserted.
    package var lastInsertRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// Whether this connection cannot write to the database.
    package var isReadOnly: Bool { handle.map { sqlite3_db_readonly($0, "main") == 1 } ?? true }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Whether the file has been renamed, deleted or replaced since it was opened.
    package var fileHasMoved: Bool { handle.map { csqlite_has_moved($0) != 0 } ?? false }

    /// A number that changes whenever any connection, including this one, commits to the file; 0 without a file.
    package var dataVersion: UInt32 {
        var version: UInt32 = 0
        guard let handle, sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version) == SQLITE_OK else {
            return 0
        }
        return version
    }
}
