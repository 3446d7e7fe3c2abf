import Foundation
import SQLiteKit
import Synchronization
import TestBasics
import Testing

struct ExecutionLimitTests {
    let connection: Connection

    init() throws { connection = try Connection.inMemory() }

    private let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i < 0"

    @Test("a runaway query stops at the instruction limit (HAZ-56)", .timeLimit(.minutes(20)))
    func runawayQueryStopsAtTheInstructionLimit() throws {
        connection.executionLimit = ExecutionLimit(instructions: 100_000)
        let error = sqliteError { _ = try connection.rows(endless) }
        #expect(error?.code == .interrupted)
        #expect(error?.hint == "the limit of 100000 instructions was reached")
        #expect(try connection.value("SELECT 1") == 1)
    }

    @Test("a runaway query stops at the time limit (HAZ-56)", .timeLimit(.minutes(20)))
    func runawayQueryStopsAtTheTimeLimit() throws {
        connection.executionLimit = ExecutionLimit(duration: .milliseconds(30))
        let error = sqliteError { _ = try connection.rows(endless) }
        #expect(error?.hint == "the time limit was reached")
    }

    @Test func limitCountsAnewForEachExecution() throws {
        connection.executionLimit = ExecutionLimit(instructions: 60_000)
        let some = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) SELECT count(*) FROM n"
        for _ in 0..<20 { #expect(try connection.value(some) == 2_000) }
        connection.executionLimit = nil
        #expect(connection.executionLimit == nil)
    }

    @Test(.timeLimit(.minutes(20))) func interrupterStopsFromAnotherThread() throws {
        let interrupter = connection.interrupter
        let isOver = Mutex(false)
        connection.executionLimit = ExecutionLimit(duration: .seconds(30))
        Thread.detachNewThread {
            // Again and again: what is interrupted before it begins goes on.
            eventually("the end of the query") {
                interrupter.interrupt()
                return isOver.withLock { $0 }
            }
        }
        let error = sqliteError { _ = try connection.rows(endless) }
        isOver.withLock { $0 = true }
        #expect(error?.code == .interrupted && error?.hint != "the time limit was reached")
        connection.close()
        interrupter.interrupt()
    }

    @Test func limitsBoundWhatSQLMayAskFor() throws {
        let former = connection.setLimit(.sqlLength, to: 40)
        #expect(former > 40)
        #expect(try connection.value("SELECT 1") == 1)
        let long = "SELECT '" + String(repeating: "x", count: 60) + "'"
        #expect(sqliteError { _ = try connection.value(long) }?.code == .tooBig)
    }
}
