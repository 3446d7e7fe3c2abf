import Synchronization
import Testing

@testable import SQLiteKit

/// Lines that a log was given.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    func log(_ level: LogLevel) -> StatementLog {
        StatementLog(LogSettings(level: level) { line in self.lines.withLock { $0.append(line) } })
    }

    /// The lines, with `T` in place of times and costs.
    var all: [String] {
        lines.withLock { $0 }.map { line in
            line.replacing(/[0-9]+\.[0-9]{4}s/, with: "Ts").replacing(/instructions: [0-9]+/, with: "instructions: N")
        }
    }
}

@Suite struct StatementLogTests {
    private func database() throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.executeScript(
            """
            CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO hero (name) VALUES ('Ann'), ('Ben'), ('Cid');
            """)
        return connection
    }

    private func lines(_ level: LogLevel, _ body: (Connection) throws -> Void) throws -> [String] {
        let connection = try database()
        let lines = LogLines()
        connection.log = lines.log(level)
        try body(connection)
        return lines.all
    }

    @Test("level 1 logs each statement, its time and its rows, and no value (TOOL-18)")
    func levelOne() throws {
        let lines = try lines(.statements) { connection in
            _ = try connection.rows("SELECT name FROM hero WHERE id > ?", [1])
            try connection.execute("UPDATE hero SET name = ? WHERE id < ?", ["Secret", 3])
            try connection.execute("BEGIN")
            try connection.execute("COMMIT")
        }
        #expect(
            lines == [
                "CoreData: sql: SELECT name FROM hero WHERE id > ?",
                "CoreData: annotation: sql connection fetch time: Ts",
                "CoreData: annotation: total fetch execution time: Ts for 2 rows.",
                "CoreData: sql: UPDATE hero SET name = ? WHERE id < ?",
                "CoreData: annotation: sql execution time: Ts for 2 rows.",
                "CoreData: sql: BEGIN", "CoreData: annotation: sql execution time: Ts",
                "CoreData: sql: COMMIT", "CoreData: annotation: sql execution time: Ts",
            ])
    }

    @Test("level 2 logs the kinds of values and the counters, and no value (TOOL-18)")
    func levelTwo() throws {
        let lines = try lines(.details) { connection in
            _ = try connection.rows(
                "SELECT ?, ?, ?, ?, ? FROM hero", ["Secret", 4711, 0.125, .blob([0xAB, 0xCD]), .null])
        }
        #expect(
            lines == [
                "CoreData: sql: SELECT ?, ?, ?, ?, ? FROM hero", "CoreData: details: SQLite bind[0] = (text)",
                "CoreData: details: SQLite bind[1] = (integer)", "CoreData: details: SQLite bind[2] = (real)",
                "CoreData: details: SQLite bind[3] = (blob)", "CoreData: details: SQLite bind[4] = (null)",
                "CoreData: annotation: sql connection fetch time: Ts",
                "CoreData: annotation: total fetch execution time: Ts for 3 rows.",
                "CoreData: details: scan steps: 2; sorts: 0; rows in automatic indexes: 0; instructions: N",
            ])
    }

    @Test("level 3 logs the bound values, whatever is in the text around them (TOOL-18)")
    func levelThree() throws {
        let values: [Value] = ["it's ?", -3, 1.5e300, .blob([0xAB, 0x01]), .null, "a\nb", "", .blob([])]
        let sql = "SELECT '?', \"name\", ?, ?, ?1, ?, ?, ?, ?, ?, ? FROM hero WHERE 'it''s' <> ?9 LIMIT 1"
        let lines = try lines(.values) { connection in
            let statement = try connection.prepare(sql)
            for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
            try statement.bind("last", at: 9)
            try statement.run()
        }
        let bound = lines.filter { $0.contains("bind[") }.map {
            String($0.dropFirst("CoreData: details: SQLite ".count))
        }
        #expect(
            bound == [
                "bind[0] = \"it's ?\"", "bind[1] = -3", "bind[2] = \"it's ?\"", "bind[3] = 1.5e+300",
                "bind[4] = <ab01>", "bind[5] = nil", "bind[6] = \"a\\nb\"", "bind[7] = \"\"", "bind[8] = <>",
                "bind[9] = \"last\"",
            ])
    }

    @Test func longValueIsShortened() throws {
        let lines = try lines(.values) { connection in
            _ = try connection.value("SELECT ?", [.text(String(repeating: "x", count: 100_000))])
        }
        let bound = try #require(lines.first { $0.contains("bind[0]") })
        #expect(bound.count < 1_100 && bound.hasSuffix("x…\""))
    }

    @Test("level 4 logs the plan of a select, before its time (TOOL-18)")
    func levelFour() throws {
        let lines = try lines(.plans) { connection in
            _ = try connection.rows("SELECT name FROM hero ORDER BY name")
            try connection.execute("DELETE FROM hero")
        }
        let plans = lines.filter { $0.contains("query plan") }
        #expect(
            plans == [
                "CoreData: details: query plan: |--SCAN hero",
                "CoreData: details: query plan: `--USE TEMP B-TREE FOR ORDER BY",
            ])
        #expect(lines.firstIndex(of: plans[1]) ?? 9 < lines.firstIndex { $0.contains("fetch time") } ?? 0)
        #expect(!lines.contains { $0.contains("EXPLAIN") })
    }

    @Test func statementThatIsGivenUpTellsTheRowsItGave() throws {
        let lines = try lines(.statements) { connection in
            let statement = try connection.prepare("SELECT id FROM hero")
            #expect(try statement.step())
            #expect(try statement.step())
            statement.reset()
            #expect(try connection.value("SELECT 7")?.integer == 7)
        }
        #expect(lines.filter { $0.contains("rows") }.map { String($0.suffix(7)) } == ["2 rows.", "1 rows."])
    }

    @Test func statementsThatRunAtOnceAreCountedApart() throws {
        let lines = try lines(.statements) { connection in
            let outer = try connection.prepare("SELECT id FROM hero")
            while try outer.step() { _ = try connection.rows("SELECT 1 FROM hero LIMIT 2") }
        }
        #expect(lines.filter { $0.contains("for 2 rows") }.count == 3)
        #expect(lines.last?.hasSuffix("for 3 rows.") == true)
    }

    @Test func failureIsToldWithoutItsValues() throws {
        let lines = try lines(.details) { connection in
            #expect(throws: SQLiteError.self) {
                try connection.execute("INSERT INTO hero (id, name) VALUES (?, ?)", [1, "Secret"])
            }
        }
        #expect(lines.last?.hasPrefix("CoreData: error: sql failed with SQLite's code 1555 after") == true)
        #expect(!lines.contains { $0.contains("Secret") })
    }

    @Test("a log changes neither results nor counts, and can be taken away in the middle (TOOL-18)")
    func logCanBeTakenAway() throws {
        let connection = try database()
        let lines = LogLines()
        let before = connection.statementCount
        let statement = try connection.prepare("SELECT id FROM hero")
        connection.log = lines.log(.plans)
        #expect(try statement.step())
        connection.log = nil
        #expect(try statement.step())
        #expect(statement.int64(0) == 2)
        #expect(try statement.step())
        #expect(try !statement.step())
        #expect(lines.all.filter { $0.contains(": sql: ") }.count == 1)
        // The plan does not count, and the rest of the execution counts as a new one.
        #expect(connection.statementCount - before == 2)
    }

    @Test("without a log an execution of many rows takes no more notice of logs than one of few (TOOL-18)")
    func withoutALogStepsDoNotAsk() throws {
        let connection = try database()
        let statement = try connection.prepare("SELECT id FROM hero")
        #expect(try statement.step())
        #expect(statement.isRunning)
        connection.log = LogLines().log(.statements)
        defer { connection.log = nil }
        statement.reset()
        #expect(try statement.step())
        #expect(!statement.isRunning)
    }

    @Test func newlineInATextIsEscaped() throws {
        let lines = try lines(.statements) { _ = try $0.value("SELECT 1 AS \"a\nCoreData: sql: forged\"") }
        #expect(lines.first == "CoreData: sql: SELECT 1 AS \"a\\nCoreData: sql: forged\"")
    }
}
