import CSQLite

/// A compiled statement: bind, step, read columns, reset.
///
/// Parameters count from 1 and columns from 0, as SQLite's. The bytes that a column lends stay valid until the next
/// `step`, `reset` or the end of the statement. Releasing it resets it, clears its bindings and keeps it for reuse.
@usableFromInline
package final class Statement {
    @usableFromInline package let handle: OpaquePointer
    // Read at every step and only ever for an instant: the check for overlapping access would cost more than the read.
    @usableFromInline @exclusivity(unchecked) package internal(set) var isRunning = false
    package let sql: String
    package let connection: Connection
    /// The pool that takes the compiled statement when this one is released; nil for one that is not cached.
    private let pool: StatementCache.Pool?

    init(handle: OpaquePointer, sql: String, connection: Connection, pool: StatementCache.Pool?) {
        self.handle = handle
        self.sql = sql
        self.connection = connection
        self.pool = pool
    }

    deinit {
        guard connection.isOwner else { return }
        guard let pool, connection.handle != nil else {
            sqlite3_finalize(handle)
            return
        }
        connection.log?.ends(handle)
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        connection.cache.put(handle, in: pool)
    }

    /// Goes to the next row; false at the end, when the statement is ready to run again with the same bindings.
    @inlinable
    package func step() throws(SQLiteError) -> Bool {
        if !isRunning { try start() }
        let code = sqlite3_step(handle)
        return code == SQLITE_ROW ? true : try finish(code)
    }

    /// Steps to the end, rows or not.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Goes back to the start; bindings stay.
    package func reset() {
        isRunning = false
        connection.log?.ends(handle)
        sqlite3_reset(handle)
    }

    /// Makes every parameter NULL.
    package func clearBindings() { sqlite3_clear_bindings(handle) }

    /// Whether the statement changes nothing in the database.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    @usableFromInline
    package func start() throws(SQLiteError) {
        _ = try connection.open(for: "step")
        connection.followWatch()
        if let log = connection.log, log.resumes(handle) { return }
        connection.statementCount += 1
        connection.guardian?.restart()
        connection.trace?(sql)
        // With a log every step comes here, so that the time in SQLite can be distinguished from the time of the rows' reader.
        isRunning = connection.log.map { !$0.begins(handle, sql: sql) } ?? true
    }

    @usableFromInline
    package func finish(_ code: Int32) throws(SQLiteError) -> Bool {
        isRunning = false
        connection.log?.ends(handle, code: code)
        guard code != SQLITE_DONE else {
            sqlite3_reset(handle)
            return false
        }
        let hint = ResultCode(rawValue: code) == .interrupted ? connection.guardian?.verdict : nil
        let error = SQLiteError(code: code, attempt: "step", sql: sql, on: sqlite3_db_handle(handle), hint: hint)
        sqlite3_reset(handle)
        throw error
    }
}
