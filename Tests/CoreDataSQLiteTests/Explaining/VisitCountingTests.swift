import Testing

@testable import CoreDataSQLite

@Suite struct VisitCountingTests {
    private func call(_ number: Int, _ alias: String) -> String {
        "likelihood(NSCoreDataVisited(\(number), \(alias).rowid), 1.0)"
    }

    @Test func conditionsStayTogether() {
        let counting = VisitCounting("SELECT t0.Z_PK FROM ZA t0 WHERE t0.ZX = ? OR t0.ZY = ? ORDER BY t0.ZX LIMIT ?")
        #expect(
            counting.sql == "SELECT t0.Z_PK FROM ZA t0 WHERE \(call(0, "t0")) AND ( t0.ZX = ? OR t0.ZY = ? ) "
                + "ORDER BY t0.ZX LIMIT ?")
        #expect(counting.sources == [.init(table: "ZA", alias: "t0")])
    }

    @Test func queryWithoutConditionsGetsOne() {
        #expect(VisitCounting("SELECT 1 FROM ZA t0").sql == "SELECT 1 FROM ZA t0 WHERE \(call(0, "t0")) ")
        #expect(
            VisitCounting("SELECT 1 FROM ZA t0 LIMIT ?").sql == "SELECT 1 FROM ZA t0  WHERE \(call(0, "t0")) LIMIT ?")
    }

    @Test func innerQueriesAndJoinsAreCounted() {
        let sql =
            "SELECT t0.Z_PK FROM \"Z A\"\"B\" t0 LEFT JOIN ZB t1 ON t1.Z_PK = t0.ZB "
            + "WHERE EXISTS (SELECT 1 FROM ZC t2 WHERE t2.ZX = 'FROM ZD t9 WHERE (')"
        let counting = VisitCounting(sql)
        #expect(counting.sources.map(\.table) == ["Z A\"B", "ZB", "ZC"])
        #expect(counting.sql.contains("WHERE \(call(0, "t0")) AND \(call(1, "t1")) AND ( EXISTS ("))
        #expect(counting.sql.contains("WHERE \(call(2, "t2")) AND ( t2.ZX = 'FROM ZD t9 WHERE (') ))"))
    }

    @Test func tablesWithoutAliasAndQueriesInParenthesesAreLeftAlone() {
        let sql = "SELECT 1 FROM (SELECT ZA AS Z_OTHER FROM ZJ WHERE ZB = t0.Z_PK UNION SELECT ZB FROM ZJ) t3"
        #expect(VisitCounting(sql).sql == sql)
        #expect(VisitCounting(sql).sources.isEmpty)
    }
}
