import CSQLite

/// A prepared statement: bind, step, read columns, reset.
///
/// Parameters count from 1 and columns from 0, as in SQLite. The bytes of a column are valid until the next `step`,
/// `reset` or the deallocation. Deallocating it resets it, clears its bindings and returns it to the cache.
@usableFromInline
package final class Statement {
    @usableFromInline package let handle: OpaquePointer
    // Accessed at every step, and never during another access: checking exclusivity would cost more than the access.
    @usableFromInline @exclusivity(unchecked) package internal(set) var isRunning = false
    package let sql: String
    package let connection: Connection
    /// The pool to which the prepared statement returns when this object is deallocated; nil if it is not cached.
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

    /// Advances to the next row; returns false at the end, after which the statement can run again with its bindings.
    @inlinable
    package func step() throws(SQLiteError) -> Bool {
        if !isRunning { try start() }
        let code = sqlite3_step(handle)
        return code == SQLITE_ROW ? true : try finish(code)
    }

    /// Steps until the end, ignoring rows.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Resets the statement for another execution; bindings are preserved.
    package func reset() {
        isRunning = false
        connection.log?.ends(handle)
        sqlite3_reset(handle)
    }

    /// Makes every parameter NULL.
    package func clearBindings() { sqlite3_clear_bindings(handle) }

    /// Whether the statement does not write to the database.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    @usableFromInline
    package func start() throws(SQLiteError) {
        _ = try connection.open(for: "step")
        connection.followWatch()
        if let log = connection.log, log.resumes(handle) { return }
        connection.statementCount += 1
        connection.guardian?.restart()
        connection.trace?(sql)
        // With a log, every step calls this method, so that time in SQLite is distinguished from time between the
        // steps.
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
