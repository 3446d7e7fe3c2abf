import SQLiteKit
import Testing

struct TransactionTests {
    let scratch: Scratch
    let connection: Connection

    init() throws {
        scratch = try Scratch()
        connection = try Connection.open(try scratch.database(rows: 2))
    }

    private struct Stop: Error {}

    private func count() throws -> Value? { try connection.value("SELECT count(*) FROM t") }

    @Test func commitsWhenTheBodyReturns() throws {
        let changed = try connection.transaction {
            try connection.execute("DELETE FROM t")
            #expect(connection.isInTransaction)
            return connection.changes
        }
        #expect(changed == 2)
        #expect(!connection.isInTransaction)
        #expect(try count() == 0)
    }

    @Test func rollsBackWhenTheBodyThrows() throws {
        #expect(throws: Stop.self) {
            try connection.transaction(.exclusive) {
                try connection.execute("DELETE FROM t")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try count() == 2)
    }

    @Test func rollsBackWhenTheCommitFails() throws {
        try connection.executeScript(
            "PRAGMA foreign_keys = ON; CREATE TABLE p (a PRIMARY KEY);"
                + "CREATE TABLE c (p REFERENCES p (a) DEFERRABLE INITIALLY DEFERRED)")
        let error = sqliteError { try connection.transaction { try connection.execute("INSERT INTO c VALUES (1)") } }
        #expect(error?.code.primary == .constraint)
        #expect(!connection.isInTransaction)
        #expect(try connection.value("SELECT count(*) FROM c") == 0)
    }

    @Test func savepointUndoesItsOwnPartOnly() throws {
        try connection.transaction {
            try connection.execute("DELETE FROM t WHERE a = 0")
            #expect(throws: Stop.self) {
                try connection.savepoint {
                    try connection.execute("DELETE FROM t")
                    throw Stop()
                }
            }
        }
        #expect(try count() == 1)
    }

    @Test("a writer that waits in vain fails within the busy timeout (HAZ-33)")
    func secondWriterIsRefusedAfterTheTimeout() throws {
        var options = OpenOptions()
        options.busyTimeout = .milliseconds(50)
        let other = try Connection.open(scratch.file(), options)
        try connection.begin(.immediate)
        let elapsed = ContinuousClock().measure {
            #expect(sqliteError { try other.begin(.immediate) }?.code.primary == .busy)
        }
        #expect(elapsed >= .milliseconds(40))
        #expect(elapsed < .seconds(4))
        try connection.rollBack()
        try other.transaction { try other.execute("DELETE FROM t") }
        #expect(other.changes == 2)
    }

    @Test func constraintErrorNamesTheRuleAndNoValue() throws {
        let error = try #require(
            sqliteError { try connection.execute("INSERT INTO t (a, b) VALUES (?, ?)", [1, "secret"]) })
        #expect(error.code == .constraintPrimaryKey)
        #expect(error.sql == "INSERT INTO t (a, b) VALUES (?, ?)")
        #expect(!error.description.contains("secret"))
    }

    @Test func lastInsertRowIDAndTotalChangesFollowInserts() throws {
        try connection.execute("INSERT INTO t (a, b) VALUES (?, NULL)", [41])
        #expect(connection.lastInsertRowID == 41)
        let before = connection.totalChanges
        try connection.execute("UPDATE t SET b = NULL")
        #expect(connection.totalChanges - before == 3)
    }
}
