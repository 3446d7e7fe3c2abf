import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct QuerySummaryTests {
    @Test(
        "a summary has the operations and tables of a statement",
        arguments: [
            // The examples of the conventions.
            ("SELECT * FROM wuser_table WHERE username = ?", "SELECT wuser_table"),
            (
                "INSERT INTO shipping_details (order_id, address) SELECT order_id, address FROM orders WHERE order_id = ?",
                "INSERT shipping_details SELECT orders"
            ),
            ("SELECT * FROM songs, artists WHERE songs.artist_id == artists.id", "SELECT songs artists"),
            (
                "SELECT d FROM (SELECT * FROM orders o JOIN customers c ON o.customer_id = c.customer_id)",
                "SELECT SELECT orders customers"
            ),
            ("SELECT * FROM \"song list\"", "SELECT \"song list\""),
            // Those of the stores.
            (
                "SELECT t0.Z_ENT, t0.Z_PK FROM ZHERO t0 LEFT OUTER JOIN Z_1TEAMS t1 ON t0.Z_PK = t1.Z_1MEMBERS WHERE "
                    + "t0.ZNAME = ? ORDER BY t0.ZNAME, t0.Z_PK", "SELECT ZHERO Z_1TEAMS"
            ),
            ("INSERT OR REPLACE INTO Z_METADATA (Z_VERSION) VALUES(?)", "INSERT Z_METADATA"),
            ("UPDATE OR FAIL ZHERO SET ZNAME = ? WHERE Z_PK = ?", "UPDATE ZHERO"),
            (
                "DELETE FROM ZHERO WHERE Z_PK IN (SELECT Z_PK FROM ZOLD WHERE a IS NOT DISTINCT FROM ?)",
                "DELETE ZHERO SELECT ZOLD"
            ),
            ("BEGIN EXCLUSIVE", "BEGIN"), ("PRAGMA journal_mode=wal", "PRAGMA"), ("SAVEPOINT state_17", "SAVEPOINT"),
            ("CREATE TABLE ZHERO ( Z_PK INTEGER PRIMARY KEY )", "CREATE TABLE ZHERO"),
            ("CREATE UNIQUE INDEX IF NOT EXISTS Z_i ON ZHERO (ZNAME)", "CREATE INDEX Z_i"),
            (
                "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n FROM x) SELECT n FROM x, y",
                "SELECT SELECT x SELECT x y"
            ),
            ("FETCH FORWARD 100 FROM c17", "FETCH"), ("COPY hero (a, b) FROM STDIN", "COPY hero"),
            (
                "SELECT extract(epoch FROM now()), 'it''s; DELETE FROM z' -- FROM q\n FROM a /* FROM b */, c",
                "SELECT a c"
            ),
            ("", ""), ("'", ""), (";;", ""), ("SELECT (((", "SELECT"),
        ])
    func summaryHasOperationsAndTables(sql: String, summary: String) {
        #expect(QuerySummary(sql).text == summary)
    }

    @Test("statements of one round trip are summed up together and counted; a trigger's own are part of its definition")
    func severalStatements() {
        let save = QuerySummary(
            "BEGIN; INSERT INTO \"coredata\".\"hero\" (a) SELECT * FROM unnest($1::int8[]) AS v ON CONFLICT (a) DO UPDATE "
                + "SET b = 1 RETURNING a; COMMIT")
        #expect(save.text == "BEGIN INSERT \"coredata\".\"hero\" SELECT COMMIT" && save.statementCount == 3)
        let trigger = QuerySummary(
            "CREATE TEMP TRIGGER a AFTER INSERT ON t BEGIN INSERT INTO x VALUES (1); UPDATE y SET a=1; END; SELECT 1")
        #expect(trigger.text == "CREATE TRIGGER a SELECT" && trigger.statementCount == 2)
    }

    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test("any text has a summary of bounded length, and no value of a literal is in it")
    func anyTextIsTaken() {
        var generator = Numbers(state: TestSeed.first)
        let parts = [
            "SELECT", "FROM", "(", ")", ";", ",", "'secret'", "'", "\"", "[", "]", "`", "a", "b.c", "WITH", "CREATE",
            "TABLE",
            "TRIGGER", "BEGIN", "END", "UPDATE", "INTO", "--", "/*", "*/", "$1", "?", "é", "\u{0}", "\n", "JOIN", ".",
            "COPY",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined(separator: " ")
            #expect(QuerySummary(text).text.utf8.count <= 256, "\(text)")
        }
        #expect(QuerySummary("SELECT 'secret', 4711 FROM a WHERE b = 'secret'").text == "SELECT a")
        let long = QuerySummary("SELECT a FROM " + (0..<100_000).map { "table\($0)" }.joined(separator: ", "))
        #expect(long.text.utf8.count <= 256 && long.text.hasPrefix("SELECT table0 table1 "))
    }
}
