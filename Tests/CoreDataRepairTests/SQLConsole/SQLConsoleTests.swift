import CoreData
import CoreDataRepair
import CoreDataWorkbench
import SQLiteKit
import StoreContract
import Testing

@Suite("The console of SQL")
struct SQLConsoleTests {
    @Test("columns are named by the model, and dates are known as such (BRW-46)")
    func columnsAreNamed() throws {
        let answer = try ConsoleScene().ask(
            "SELECT h.Z_PK, h.ZNAME AS n, h.ZBIRTHDATE, p.ZHERO, upper(h.ZNAME) FROM ZHERO h LEFT JOIN ZPOWER p ON p.ZHERO = h.Z_PK "
                + "ORDER BY h.ZNAME -- by name\n;")
        #expect(answer.isComplete && answer.rows.count == 5)
        #expect(answer.columns.map(\.name) == ["Z_PK", "n", "ZBIRTHDATE", "ZHERO", "upper(h.ZNAME)"])
        let meanings = answer.columns.map(\.meaning)
        #expect(meanings.map { $0?.kind } == [.key, .attribute, .attribute, .relationship, nil])
        #expect(meanings[1]?.entity == "Hero" && meanings[1]?.property == "name" && meanings[1]?.isDate == false)
        #expect(meanings[2]?.isDate == true && answer.rows[0][2].date == "1980-05-01T00:00:00.000Z")
        #expect(answer.rows[0][1] == .text("Alpha") && answer.rows[0][3] != .null && answer.rows[1][3] == .null)
    }

    @Test("the schema names the entity and property of each table and column (BRW-46)")
    func schemaNamesEntityAndPropertyOfEachTableAndColumn() throws {
        let scene = try ConsoleScene()
        let model = try SuperDB.model()
        let names = try SQLiteConsole(storeAt: scene.url, model: model, configuration: nil).names()
        let hero = try #require(names.tables.first { $0.name == "ZHERO" })
        #expect(hero.entity == "Hero")
        let byName = Dictionary(hero.columns.map { ($0.name, $0.meaning) }, uniquingKeysWith: { first, _ in first })
        #expect(byName["ZSEX"]??.property == "sex" && byName["Z_ENT"]??.kind == .entityNumber)
        let bare = try SQLiteConsole(storeAt: scene.url, model: nil, configuration: nil).names()
        let table = try #require(bare.tables.first { $0.name == "ZHERO" })
        #expect(table.entity == nil && table.columns.first { $0.name == "Z_PK" }?.meaning?.kind == .key)
        let history = try #require(bare.tables.first { $0.name == "ATRANSACTION" })
        #expect(history.columns.first { $0.name == "ZTIMESTAMP" }?.meaning?.isDate == true)
    }

    @Test("parameters of all forms take numbers, texts, bytes, dates and NULL (BRW-46)")
    func parametersOfAllFormsTakeNumbers() throws {
        let scene = try ConsoleScene()
        let sql = "SELECT :a, @b, $c, ?7, ?, typeof(:a), typeof(@b), typeof($c), typeof(?7), typeof(?)"
        let console = try SQLiteConsole(storeAt: scene.url, model: nil, configuration: nil)
        let names = try console.parameters(of: sql)
        #expect(names == [":a", "@b", "$c", "?4", "?5", "?6", "?7", "?8", "?9"])
        let texts = [
            ":a": "12", "@b": "'12'", "$c": "x'00fF'", "4": "", "5": "", "6": "", "?7": "@2001-01-02", "?8": "@null",
            "9": "@@x",
        ]
        let row = try scene.ask(sql, texts).rows[0]
        #expect(row[0] == .integer(12) && row[1] == .text("12") && row[2] == .blob([0, 255], bytes: 2))
        #expect(row[3] == .real(86_400) && row[4] == .null)
        #expect(row[5...] == [.text("integer"), .text("text"), .text("blob"), .text("real"), .text("text")])
        let found = try scene.ask("SELECT ZNAME FROM ZHERO WHERE ZBIRTHDATE < :day", ["day": "@1980-01-01T00:00Z"])
        #expect(found.rows == [[.text("Bolt")]])
        #expect(try scene.error("SELECT :a")?.code == .badParameter)
        #expect(try scene.error("SELECT :a", ["a": "@soon"])?.reason.contains("'@soon' is not a value") == true)
    }

    @Test("an error says its place (BRW-46)")
    func errorsHavePlaces() throws {
        let scene = try ConsoleScene()
        let unknown = try #require(try scene.error("SELECT 'ä',\n  ZNOME FROM ZHERO"))
        #expect(unknown.code == .badSQL && unknown.position == 14 && unknown.reason == "no such column: ZNOME")
        #expect(unknown.excerpt == "  ZNOME FROM ZHERO\n  ^")
        let syntax = try #require(try scene.error("SELEC 1"))
        #expect(syntax.position == 0 && syntax.inspectionError.cause.hasPrefix("at character 1: near"))
        #expect(try scene.error(" -- nothing\n")?.reason == "the text holds no statement")
    }

    @Test("rows, sizes and time are limited, and the answer says which limit there was (BRW-46)")
    func rowsSizesAndTimeAreLimited() throws {
        let scene = try ConsoleScene()
        let count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"
        let rows = try scene.ask(count, limit: 7)
        #expect(rows.rows.count == 7 && rows.stop == .rows && !rows.isComplete)
        #expect(try scene.ask("SELECT 1 LIMIT 1", limit: 1).isComplete)
        let begin = ContinuousClock.now
        let timed = try scene.ask(count + " WHERE x < 0", time: .milliseconds(300))
        #expect(timed.rows.isEmpty && timed.stop == .time)
        #expect(begin.duration(to: .now) < .seconds(3))
        let size = try scene.ask(
            count.replacing("SELECT x FROM", with: "SELECT x, hex(zeroblob(3000)) FROM"), limit: 100_000)
        #expect(size.stop == .size && (1_000...10_000).contains(size.rows.count))
    }

    @Test("long cells are cut, at the end of a character (BRW-46)")
    func longCellsAreCut() throws {
        let row = try ConsoleScene().ask(
            "SELECT replace(hex(zeroblob(3000)), '0', 'ä') || 'x', zeroblob(1000), 'a' || char(0) || 'b'"
        ).rows[0]
        guard case .cutText(let text, let bytes) = row[0] else { return #expect(Bool(false), "\(row[0])") }
        #expect(bytes == 12_001 && text.utf8.count == 4_096 && text.allSatisfy { $0 == "ä" })
        #expect(row[1] == .blob([UInt8](repeating: 0, count: 256), bytes: 1_000))
        #expect(row[2] == .text("a\u{0}b"))
    }

    @Test("functions and collations of compiled queries can be called (BRW-46)")
    func ownFunctions() throws {
        let answer = try ConsoleScene().ask(
            "SELECT ZNAME FROM ZHERO WHERE coredata_fold(ZNAME, 1) IS NOT NULL ORDER BY ZNAME COLLATE coredata_localized_standard DESC"
        )
        #expect(answer.rows.first == [.text("Echo")])
    }

    @Test("a statement does not hinder emptying the log, and sees what was saved (BRW-46)")
    func logIsEmptied() throws {
        let scene = try ConsoleScene()
        let stack = try scene.stack()
        stack.context.insert("Hero", ["name": "Flux"])
        try stack.context.save()
        let cut = try scene.ask("SELECT ZNAME FROM ZHERO ORDER BY ZNAME DESC", limit: 1)
        #expect(cut.rows == [[.text("Flux")]] && cut.stop == .rows)
        let connection = try Connection.open(scene.url.path)
        defer { connection.close() }
        #expect(
            try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first == [.integer(0), .integer(0), .integer(0)])
    }

    @Test("who waits no longer ends the statement (BRW-46)")
    func whoWaitsNoLongerEndsStatement() throws {
        let scene = try ConsoleScene()
        let cancellation = ReadCancellation()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { cancellation.cancel() }
        let begin = ContinuousClock.now
        #expect(throws: CancellationError.self) {
            try ReadCancellation.$current.withValue(cancellation) {
                try scene.ask(
                    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
                    time: .seconds(50))
            }
        }
        #expect(begin.duration(to: .now) < .seconds(5))
    }
}
