import CSQLite

extension Connection {
    /// Prepares the only statement of a text that a person entered; white space, comments and semicolons may follow it.
    ///
    /// The statement is not cached.
    /// - Throws: `SQLiteError`: `misuse` for a text that contains a NUL character, no statement, or more than one.
    package func prepareSingle(_ sql: String) throws(SQLiteError) -> Statement {
        // SQLite stops at a NUL character and would ignore the rest.
        if let end = sql.utf8.firstIndex(of: 0) {
            throw SQLiteError(
                code: .misuse, attempt: "prepare", sql: sql, message: "the text has a NUL character",
                offset: sql.utf8.distance(from: sql.utf8.startIndex, to: end))
        }
        var found: Statement?
        var offset = 0
        while offset < sql.utf8.count {
            let start = offset
            let handle = try open(for: "prepare")
            var statement: OpaquePointer?
            let code = Self.compile(sql, from: start, on: handle, into: &statement, tail: &offset)
            if found != nil, code != SQLITE_OK || statement != nil {
                sqlite3_finalize(statement)
                throw SQLiteError(
                    code: .misuse, attempt: "prepare", sql: sql, message: "the text has more than one statement",
                    offset: start)
            }
            guard code == SQLITE_OK else { throw SQLiteError(code: code, attempt: "prepare", sql: sql, on: handle) }
            found = found ?? statement.map { Statement(handle: $0, sql: sql, connection: self, pool: nil) }
        }
        guard let found else {
            throw SQLiteError(code: .misuse, attempt: "prepare", sql: sql, message: "the text holds no statement")
        }
        return found
    }
}
