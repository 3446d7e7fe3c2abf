import Testing

@testable import SQLiteKit

@Suite struct QueryPlanTests {
    private func plan(_ sql: String) throws -> QueryPlan {
        let connection = try Connection.inMemory()
        try connection.executeScript("CREATE TABLE a (x, y); CREATE TABLE b (z); CREATE INDEX a_x ON a (x);")
        return try connection.plan(of: sql)
    }

    @Test func treeIsDrawnAsByTheShell() throws {
        let plan = try plan("SELECT x FROM a WHERE y IN (SELECT z FROM b WHERE z > 1 ORDER BY z) AND y > 2 ORDER BY y")
        #expect(plan.lines.first == "|--SCAN a")
        #expect(plan.lines.last == "`--USE TEMP B-TREE FOR ORDER BY")
        #expect(plan.lines.contains { $0.hasPrefix("|  ") && $0.contains("SCAN b") })
    }

    @Test func sortAndIndexAreSeen() throws {
        #expect(try plan("SELECT x FROM a ORDER BY y").sorts)
        #expect(try !plan("SELECT x FROM a ORDER BY x").sorts)
        #expect(try !plan("SELECT DISTINCT y FROM a").sorts)
        #expect(try plan("SELECT * FROM a, b WHERE y = z").makesIndex)
    }

    @Test func costIsCountedAnewForEachExecution() throws {
        let connection = try Connection.inMemory()
        try connection.executeScript("CREATE TABLE a (x); INSERT INTO a VALUES (3), (1), (2);")
        let statement = try connection.prepare("SELECT x FROM a ORDER BY x")
        for _ in 1...2 {
            try statement.run()
            let cost = statement.takeCost()
            #expect(cost.scanSteps == 2)
            #expect(cost.sorts == 1)
            #expect(cost.instructions > 0)
        }
    }
}
