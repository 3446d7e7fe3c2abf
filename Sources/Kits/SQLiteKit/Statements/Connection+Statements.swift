import CSQLite

extension Connection {
    /// Prepares a statement, or takes an idle one from the cache, to which it returns when it is deallocated.
    ///
    /// The bytes of its columns become invalid with the statement: retain it, or use `withStatement`.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        let handle = try open(for: "prepare")
        let pool = cache.pool(sql)
        if let idle = cache.take(from: pool) {
            return Statement(handle: idle, sql: sql, connection: self, pool: pool)
        }
        var statement: OpaquePointer?
        var tail = 0
        let code = Self.compile(sql, from: 0, on: handle, into: &statement, tail: &tail)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, attempt: "prepare", sql: sql, on: handle) }
        guard let statement else {
            throw SQLiteError(code: .misuse, attempt: "prepare", sql: sql, message: "the text holds no statement")
        }
        cache.countPreparation()
        return Statement(handle: statement, sql: sql, connection: self, pool: pool)
    }

    /// Prepares a statement and retains it while `body` runs; afterwards it returns to the cache.
    package func withStatement<Result>(_ sql: String, _ body: (Statement) throws -> Result) throws -> Result {
        let statement = try prepare(sql)
        return try withExtendedLifetime(statement) { try body(statement) }
    }

    /// Executes a statement to completion.
    package func execute(_ sql: String, _ values: [Value] = []) throws(SQLiteError) {
        let statement = try prepare(sql)
        try statement.bind(values)
        try statement.run()
    }

    /// Executes every statement of a text; the statements must have no parameters.
    package func executeScript(_ script: String) throws(SQLiteError) {
        var offset = 0
        while offset < script.utf8.count {
            let handle = try open(for: "prepare")
            var statement: OpaquePointer?
            let start = offset
            let code = Self.compile(script, from: start, on: handle, into: &statement, tail: &offset)
            guard code == SQLITE_OK else { throw SQLiteError(code: code, attempt: "prepare", sql: script, on: handle) }
            guard let statement else { continue }
            let sql = String(cString: sqlite3_sql(statement))
            try Statement(handle: statement, sql: sql, connection: self, pool: nil).run()
        }
    }

    /// All rows of a query; intended for small results.
    package func rows(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> [[Value]] {
        let statement = try prepare(sql)
        try statement.bind(values)
        var rows: [[Value]] = []
        while try statement.step() { rows.append(statement.values()) }
        return rows
    }

    /// The first column of the first row; nil without rows.
    package func value(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Value? {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? statement.value(0) : nil
    }

    /// The numbers of statements that were compiled, and that were taken from the cache instead.
    package var preparationCounts: (compiled: Int, reused: Int) { (cache.compiled, cache.reused) }

    // An empty or comment-only text compiles to no statement at all.
    static func compile(
        _ sql: String, from offset: Int, on handle: OpaquePointer, into statement: inout OpaquePointer?, tail: inout Int
    ) -> Int32 {
        var sql = sql
        return sql.withUTF8 { bytes in
            guard bytes.count - offset < Int(Int32.max) else { return SQLITE_TOOBIG }
            return bytes.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return SQLITE_OK }
                var rest: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    handle, start + offset, Int32(text.count - offset), UInt32(SQLITE_PREPARE_PERSISTENT), &statement,
                    &rest)
                tail = rest.map { $0 - start } ?? text.count
                return code
            }
        }
    }
}
