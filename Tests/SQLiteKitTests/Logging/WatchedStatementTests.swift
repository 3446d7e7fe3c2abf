import Testing

@testable import SQLiteKit

/// What one connection's statements are while they are watched, without a watch of the whole process.
@Suite struct WatchedStatementTests {
    private let watch = StatementWatch(includingValues: true) { _ in }

    private func connection() throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.executeScript(
            """
            CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO hero (name) VALUES ('Ann'), ('Ben'), ('Cid');
            """)
        return connection
    }

    @Test("an execution has its own rows, steps and values, and the plan of its statement (BRW-42)")
    func executionsOfAQuery() throws {
        let connection = try connection()
        let statement = try connection.prepare("SELECT id FROM hero WHERE name > ?")
        let watched = try #require(WatchedStatement(statement.handle, sql: statement.sql))
        #expect(watched.plan == "`--SCAN hero" && !watched.isUnderWay)
        for (value, rows) in [("Ann", 2), ("Cid", 0), ("A", 3)] {
            try statement.bind(value, at: 1)
            watched.begin()
            #expect(watched.isUnderWay)
            while try statement.step() { watched.rows += 1 }
            let execution = watched.end(for: watch)
            #expect(execution.rows == rows && execution.scanSteps == 2 && execution.sorts == 0)
            #expect(execution.values == ["\"\(value)\""])
            #expect(execution.start > 0 && execution.start <= execution.end && !watched.isUnderWay)
        }
    }

    @Test("a statement that changes rows has the number of these, and no plan (BRW-42)")
    func executionsOfAChange() throws {
        let connection = try connection()
        let statement = try connection.prepare("UPDATE hero SET name = 'Dan' WHERE id > 1")
        let watched = try #require(WatchedStatement(statement.handle, sql: statement.sql))
        for _ in 0..<2 {
            watched.begin()
            try statement.run()
            #expect(watched.end(for: watch).rows == 2)
        }
        #expect(watched.plan.isEmpty)
    }

    @Test("questions for plans are not watched (BRW-42)")
    func questionsForPlans() throws {
        let connection = try connection()
        let statement = try connection.prepare("EXPLAIN QUERY PLAN SELECT * FROM hero")
        #expect(WatchedStatement(statement.handle, sql: statement.sql) == nil)
    }

    @Test("a watch without plans asks for none until one with plans comes")
    func plansAreAskedForWhenTheyAreWanted() throws {
        let connection = try connection()
        let statement = try connection.prepare("SELECT id FROM hero WHERE name > ?")
        let watched = try #require(WatchedStatement(statement.handle, sql: statement.sql, includingPlan: false))
        let plain = StatementWatch(includingValues: false, includingPlans: false) { _ in }
        watched.begin()
        let execution = watched.end(for: plain)
        #expect(watched.plan.isEmpty && execution.plan.isEmpty && execution.findsRows)
        watched.findPlan()
        watched.begin()
        #expect(watched.end(for: plain).plan.isEmpty)
        watched.begin()
        #expect(watched.end(for: watch).plan == "`--SCAN hero")
    }
}
