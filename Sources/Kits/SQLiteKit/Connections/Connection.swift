import CSQLite

/// One connection to one SQLite database, opened without SQLite's own mutexes.
///
/// Invariants:
/// 1. One thread at a time uses a connection and everything made from it (statements, backups, catalogs). The owner
///    sees to that with its queue or lock; the class is not `Sendable`. Only `interrupter` may go elsewhere.
/// 2. Every `Statement` holds its connection, so the handle outlives all statements; an explicit `close()` lets
///    SQLite keep the handle until the last statement is gone.
/// 3. A process that was forked from the one that opened the connection may neither use nor close it.
package final class Connection {
    /// SQLite's version as a number: 3040001 for 3.40.1.
    package static let libraryVersion = Int(sqlite3_libversion_number())

    /// The path as it was given; nil in memory.
    package let path: String?
    /// Stops the running statement from any thread.
    package let interrupter: Interrupter
    // What each step looks at is read and written by one thread at a time, and no access outlasts its statement.
    /// How often an execution of a statement was started, of any statement of this connection.
    @exclusivity(unchecked) package internal(set) var statementCount = 0
    /// Called with the SQL text, without values, whenever an execution starts.
    package var trace: ((String) -> Void)?

    @exclusivity(unchecked) var handle: OpaquePointer?
    var cache = StatementCache()
    @exclusivity(unchecked) var guardian: ExecutionGuard?
    @exclusivity(unchecked) var statementLog: StatementLog?
    var authorizer: StatementAuthorizer?
    /// How long a call waits for another connection's lock.
    var busyMilliseconds: Int32 = 0
    /// Whether waits for locks are reported to the watch of all statements.
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

    /// Whether this is the process that opened the connection.
    @inline(__always) var isOwner: Bool { csqlite_process_generation() == owner }

    /// The handle, for a call that attempts something.
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
    /// Rows that the last insert, update or delete changed, without those changed by triggers.
    package var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

    /// Rows changed since the connection was opened, those changed by triggers included.
    package var totalChanges: Int { handle.map { Int(sqlite3_total_changes64($0)) } ?? 0 }

    /// The row id of the last row inserted by this connection.
    package var lastInsertRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// Whether the database cannot be written through this connection, for whatever reason.
    package var isReadOnly: Bool { handle.map { sqlite3_db_readonly($0, "main") == 1 } ?? true }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Whether the file was renamed, deleted or replaced since it was opened.
    package var fileHasMoved: Bool { handle.map { csqlite_has_moved($0) != 0 } ?? false }

    /// A number that changes whenever any connection, this one included, commits to the file; 0 without a file.
    package var dataVersion: UInt32 {
        var version: UInt32 = 0
        guard let handle, sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version) == SQLITE_OK else {
            return 0
        }
        return version
    }
}
