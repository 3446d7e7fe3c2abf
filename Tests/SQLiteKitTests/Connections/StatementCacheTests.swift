import SQLiteKit
import Testing

struct StatementCacheTests {
    let connection: Connection

    init() throws {
        connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a)")
    }

    @Test func sameTextIsCompiledOnce() throws {
        let before = connection.preparationCounts
        for number in 0..<50 { try connection.execute("INSERT INTO t VALUES (?)", [.integer(Int64(number))]) }
        #expect(connection.preparationCounts.compiled - before.compiled == 1)
        #expect(connection.preparationCounts.reused - before.reused == 49)
    }

    @Test func statementInUseIsNotLentTwice() throws {
        try connection.executeScript("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
        let sql = "SELECT a FROM t ORDER BY a"
        try connection.withStatement(sql) { outer throws in
            #expect(try outer.step())
            try connection.withStatement(sql) { inner throws in
                #expect(try inner.step())
                #expect(try inner.step())
            }
            #expect(outer.int64(0) == 1)
            #expect(try outer.step())
            #expect(outer.int64(0) == 2)
        }
        let before = connection.preparationCounts.compiled
        try connection.withStatement(sql) { _ in try connection.withStatement(sql) { _ in } }
        #expect(connection.preparationCounts.compiled == before)
    }

    @Test func returnedStatementIsResetAndCleared() throws {
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.withStatement("SELECT ?1 FROM t") { statement throws in
            try statement.bind("left over", at: 1)
            #expect(try statement.step())
        }
        try connection.execute("DROP TABLE t")
        try connection.execute("CREATE TABLE t (a)")
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.withStatement("SELECT ?1 FROM t") { statement throws in
            #expect(try statement.step())
            #expect(statement.isNull(0))
        }
    }

    @Test func manyTextsPushOutTheOldest() throws {
        for number in 0..<1_000 { _ = try connection.value("SELECT \(number)") }
        let before = connection.preparationCounts
        _ = try connection.value("SELECT 999")
        _ = try connection.value("SELECT 0")
        #expect(connection.preparationCounts.reused - before.reused == 1)
        #expect(connection.preparationCounts.compiled - before.compiled == 1)
    }

    @Test func statementsInUseComeBackAfterTheirTextWasPushedOut() throws {
        // Two of the same text are out, and meanwhile so many others come that the cache forgets it.
        let sql = "SELECT a FROM t"
        try connection.withStatement(sql) { _ in }
        try connection.withStatement(sql) { _ throws in
            try connection.withStatement(sql) { _ throws in
                for number in 0..<600 { _ = try connection.value("SELECT \(number)") }
            }
        }
        let before = connection.preparationCounts
        try connection.withStatement(sql) { _ throws in try connection.withStatement(sql) { _ in } }
        #expect(connection.preparationCounts.compiled == before.compiled)
        #expect(connection.preparationCounts.reused - before.reused == 2)
    }

    @Test func textsThatFailLeaveNothing() throws {
        for _ in 0..<3 { #expect(throws: SQLiteError.self) { try connection.execute("SELECT later FROM t") } }
        try connection.execute("ALTER TABLE t ADD COLUMN later")
        let before = connection.preparationCounts
        for _ in 0..<6 { try connection.execute("SELECT later FROM t") }
        #expect(connection.preparationCounts.compiled - before.compiled == 1)
    }

    @Test func executionsAreCountedAndTraced() throws {
        var texts: [String] = []
        connection.trace = { texts.append($0) }
        let before = connection.statementCount
        try connection.execute("INSERT INTO t VALUES (?)", ["hidden"])
        try connection.withStatement("SELECT a FROM t") { statement throws in
            while try statement.step() {}
            while try statement.step() {}
        }
        #expect(connection.statementCount - before == 3)
        #expect(texts == ["INSERT INTO t VALUES (?)", "SELECT a FROM t", "SELECT a FROM t"])
    }

    @Test func schemaChangeRecompilesQuietly() throws {
        try connection.execute("INSERT INTO t VALUES (1)")
        #expect(try connection.rows("SELECT * FROM t") == [[1]])
        try connection.execute("ALTER TABLE t ADD COLUMN b DEFAULT 2")
        #expect(try connection.rows("SELECT * FROM t") == [[1, 2]])
    }
}
