import CoreDataFoundation
import CoreDataSQL
import Foundation
import SQLiteKit
import Testing

/// A predicate on people beside what it becomes.
private struct Golden {
    let format: String
    let arguments: [Any?]
    /// What comes after `SELECT t0.Z_PK FROM ZPERSON t0`.
    let sql: String
    let parameters: [SQLParameter]

    init(_ format: String, _ sql: String, _ parameters: [SQLParameter] = []) {
        self.init(format, [], sql, parameters)
    }

    init(_ format: String, _ arguments: [Any?], _ sql: String, _ parameters: [SQLParameter] = []) {
        self.format = format
        self.arguments = arguments
        self.sql = sql
        self.parameters = parameters
    }
}

@MainActor
@Suite("Predicates as SQL")
struct GoldenTests {
    private var world: QueryWorld { DifferentialTests.world }

    @Test("FET-03, HAZ-52: predicates become these texts, with their values bound")
    func predicatesBecomeText() throws {
        for golden in try goldens() {
            let predicate = try NSPredicate(parsing: golden.format, arguments: golden.arguments)
            let compiled = try world.compiled(predicate)
            let tail = golden.sql.isEmpty ? "" : " " + golden.sql
            #expect(compiled.sql == "SELECT t0.Z_PK FROM ZPERSON t0" + tail, "\(golden.format)")
            #expect(compiled.parameters == golden.parameters, "\(golden.format)")
        }
    }

    @Test("FET-04: predicate and sort descriptors share joins; pages end with the key")
    func queryBecomesText() throws {
        let query = try world.query(
            "Employee", NSPredicate(format: "department.name == 'a' AND salary > 5"),
            sortedBy: [
                NSSortDescriptor(key: "department.name", ascending: true, selector: "localizedStandardCompare:"),
                NSSortDescriptor(key: "department.company.name", ascending: false),
            ], limit: 10, offset: 20)
        let compiled = try world.compiler.select(query, columns: ["Z_PK", "Z_ENT"])
        #expect(
            compiled.sql
                == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 LEFT JOIN ZDEPARTMENT t1 ON t1.Z_PK = t0.ZDEPARTMENT"
                + " LEFT JOIN ZCOMPANY t2 ON t2.Z_PK = t1.ZCOMPANY"
                + " WHERE t0.Z_ENT IN (?, ?) AND t1.ZNAME = ? AND t0.ZSALARY > ?"
                + " ORDER BY t1.ZNAME COLLATE coredata_localized_standard, t2.ZNAME DESC, t0.Z_PK LIMIT ? OFFSET ?")
        #expect(
            compiled.parameters == [.integer(5), .integer(6), .text("a"), .integer(5), .integer(10), .integer(20)])
    }

    @Test("FET-07: a count within limits is one of a sub-query")
    func countBecomesText() throws {
        let predicate = NSPredicate(format: "small == 1")
        let plain = try world.compiler.count(world.query("Manager", predicate))
        #expect(plain.sql == "SELECT COUNT(*) FROM ZPERSON t0 WHERE t0.Z_ENT = 6 AND t0.ZSMALL = ?")
        let limited = try world.compiler.count(world.query("Person", predicate, limit: 7))
        #expect(
            limited.sql == "SELECT COUNT(*) FROM (SELECT 1 FROM ZPERSON t0 WHERE t0.ZSMALL = ? LIMIT ? OFFSET ?) w")
        #expect(limited.parameters == [.integer(1), .integer(7), .integer(0)])
    }

    @Test("PRD-21: lists of any length over 500 share one text and bind one value")
    func longListsShareOneText() throws {
        let texts = try [501, 40_000].map { count in
            let compiled = try world.compiled(NSPredicate(format: "small IN %@", Array(0..<count)))
            #expect(compiled.parameters.count == 1)
            return compiled.sql
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].hasSuffix("WHERE t0.ZSMALL IN (SELECT value FROM json_each(?))"))
        #expect(try world.compiled(NSPredicate(format: "small IN %@", Array(0..<500))).parameters.count == 500)
    }

    @Test("A prefix search and a key comparison use their indexes")
    func indexesAreUsed() throws {
        try world.connection.execute("CREATE INDEX IF NOT EXISTS NAMES ON ZPERSON (ZNAME COLLATE BINARY ASC)")
        for format in ["name BEGINSWITH 'ab'", "name == 'ab'", "name IN {'a', 'b'}", "name == nil"] {
            let compiled = try world.compiled(NSPredicate(format: format))
            let plan = try world.connection.rows(
                "EXPLAIN QUERY PLAN " + compiled.sql, compiled.parameters.map { Value($0) })
            #expect(plan.contains { $0.last?.text?.contains("USING COVERING INDEX NAMES") == true }, "\(format)")
        }
    }

    private func goldens() throws -> [Golden] {
        [
            Golden(
                "name == 'abc'",
                "WHERE t0.ZNAME = ?",
                [.text("abc")]),
            Golden(
                "name != 'abc'",
                "WHERE t0.ZNAME IS NOT ?",
                [.text("abc")]),
            Golden(
                "name == nil",
                "WHERE t0.ZNAME IS NULL"),
            Golden(
                "name != nil",
                "WHERE t0.ZNAME IS NOT NULL"),
            Golden(
                "NOT name == 'abc'",
                "WHERE t0.ZNAME IS NOT ?",
                [.text("abc")]),
            Golden(
                "NOT name < 'b'",
                "WHERE (t0.ZNAME < ?) IS NOT TRUE",
                [.text("b")]),
            Golden(
                "name == nick",
                "WHERE t0.ZNAME IS t0.ZNICK"),
            Golden(
                "name == 5",
                "WHERE FALSE"),
            Golden(
                "small < 4.5",
                "WHERE t0.ZSMALL < ?",
                [.real(4.5)]),
            Golden(
                "price < %@", [Decimal(string: "0.30000000000000000001")],
                "WHERE t0.ZPRICE <= ?",
                [.real(0.3)]),
            Golden(
                "large < %@", [UInt64.max],
                "WHERE t0.ZLARGE < ?",
                [.real(1.8446744073709552e+19)]),
            Golden(
                "flag == YES",
                "WHERE t0.ZFLAG = ?",
                [.integer(1)]),
            Golden(
                "born >= %@", [Date(timeIntervalSinceReferenceDate: 12.5)],
                "WHERE t0.ZBORN >= ?",
                [.real(12.5)]),
            Golden(
                "token == %@", [UUID(uuidString: "00000000-0000-0000-0000-000000000004")],
                "WHERE t0.ZTOKEN = ?",
                [.blob(Data([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]))]),
            Golden(
                "link == %@", [URL(string: "https://example.org/")],
                "WHERE t0.ZLINK = ?",
                [.text("https://example.org/")]),
            Golden(
                "photo == %@", [Data([65])],
                "WHERE t0.ZPHOTO = ?",
                [.blob(Data([65]))]),
            Golden(
                "extra == nil",
                "WHERE t0.ZEXTRA IS NULL"),
            Golden(
                "small BETWEEN {1, 5}",
                "WHERE t0.ZSMALL >= ? AND t0.ZSMALL <= ?",
                [.integer(1), .integer(5)]),
            Golden(
                "name ==[cd] 'Ä'",
                "WHERE coredata_fold(t0.ZNAME, 3) = ?",
                [.text("a")]),
            Golden(
                "name BEGINSWITH 'ab'",
                "WHERE t0.ZNAME >= ? AND t0.ZNAME < ?",
                [.text("ab"), .text("ac")]),
            Golden(
                "name BEGINSWITH[c] 'ab'",
                "WHERE coredata_has_prefix(t0.ZNAME, ?, 1)",
                [.text("ab")]),
            Golden(
                "name ENDSWITH 'ab'",
                "WHERE coredata_has_suffix(t0.ZNAME, ?, 0)",
                [.text("ab")]),
            Golden(
                "name CONTAINS '100%'",
                "WHERE instr(t0.ZNAME, ?) > 0",
                [.text("100%")]),
            Golden(
                "name CONTAINS[cd] 'É'",
                "WHERE coredata_contains(t0.ZNAME, ?, 3)",
                [.text("É")]),
            Golden(
                "name LIKE 'a*'",
                "WHERE coredata_like(t0.ZNAME, ?, 0)",
                [.text("a*")]),
            Golden(
                "name MATCHES[c] 'S[ao]les'",
                "WHERE coredata_matches(t0.ZNAME, ?, 1)",
                [.text("S[ao]les")]),
            Golden(
                "name IN {'a', 'b'}",
                "WHERE t0.ZNAME IN (?, ?)",
                [.text("a"), .text("b")]),
            Golden(
                "name IN {'a', nil}",
                "WHERE t0.ZNAME = ? OR t0.ZNAME IS NULL",
                [.text("a")]),
            Golden(
                "name IN {}",
                "WHERE FALSE"),
            Golden(
                "department == nil",
                "WHERE t0.ZDEPARTMENT IS NULL"),
            Golden(
                "department.name == 'Sales'",
                "LEFT JOIN ZDEPARTMENT t1 ON t1.Z_PK = t0.ZDEPARTMENT WHERE t1.ZNAME = ?",
                [.text("Sales")]),
            Golden(
                "department.name == 'Sales' AND department.company.city != 'x'",
                "LEFT JOIN ZDEPARTMENT t1 ON t1.Z_PK = t0.ZDEPARTMENT LEFT JOIN ZCOMPANY t2 ON t2.Z_PK ="
                    + " t1.ZCOMPANY WHERE t1.ZNAME = ? AND t2.ZCITY IS NOT ?",
                [.text("Sales"), .text("x")]),
            Golden(
                "boss.department == department",
                "LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZBOSS WHERE t1.ZDEPARTMENT IS t0.ZDEPARTMENT"),
            Golden(
                "SELF == %@", [try world.identifier("Person", 7)],
                "WHERE t0.Z_PK = ?",
                [.integer(7)]),
            Golden(
                "SELF == %@", [try world.identifier("Skill", 7)],
                "WHERE FALSE"),
            Golden(
                "department IN %@", [[try world.identifier("Department", 1), try world.identifier("Department", 2)]],
                "WHERE t0.ZDEPARTMENT IN (?, ?)",
                [.integer(1), .integer(2)]),
            Golden(
                "ANY reports.small > 5",
                "WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZSMALL > ?)",
                [.integer(5)]),
            Golden(
                "ALL reports.small > 5",
                "WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND (t1.ZSMALL > ?) IS NOT"
                    + " TRUE)",
                [.integer(5)]),
            Golden(
                "NONE reports.small > 5",
                "WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZSMALL > ?)",
                [.integer(5)]),
            Golden(
                "ANY skills.name == 'a'",
                "WHERE EXISTS (SELECT 1 FROM Z_4SKILLS t1 LEFT JOIN ZSKILL t2 ON t2.Z_PK = t1.Z_7SKILLS WHERE"
                    + " t1.Z_4PEOPLE = t0.Z_PK AND t2.ZNAME = ?)",
                [.text("a")]),
            Golden(
                "ANY skills == %@", [try world.identifier("Skill", 7)],
                "WHERE EXISTS (SELECT 1 FROM Z_4SKILLS t1 WHERE t1.Z_4PEOPLE = t0.Z_PK AND t1.Z_7SKILLS = ?)",
                [.integer(7)]),
            Golden(
                "ANY friends.small > 0",
                "WHERE EXISTS (SELECT 1 FROM (SELECT REFLEXIVE AS Z_OWN, Z_4FRIENDS AS Z_OTHER FROM Z_4FRIENDS"
                    + " UNION SELECT Z_4FRIENDS, REFLEXIVE FROM Z_4FRIENDS) t1 LEFT JOIN ZPERSON t2 ON t2.Z_PK ="
                    + " t1.Z_OTHER WHERE t1.Z_OWN = t0.Z_PK AND t2.ZSMALL > ?)",
                [.integer(0)]),
            Golden(
                "ANY notes.text == 'a'",
                "WHERE EXISTS (SELECT 1 FROM ZNOTE t1 WHERE t1.Z4NOTES = t0.Z_PK AND t1.ZTEXT = ?)",
                [.text("a")]),
            Golden(
                "ANY boss.reports.department.name == name",
                "WHERE EXISTS (SELECT 1 FROM ZPERSON t1 LEFT JOIN ZDEPARTMENT t2 ON t2.Z_PK = t1.ZDEPARTMENT"
                    + " WHERE t1.ZBOSS = t0.ZBOSS AND t2.ZNAME IS t0.ZNAME)"),
            Golden(
                "skills.@count == 0",
                "WHERE (SELECT COUNT(*) FROM Z_4SKILLS t1 WHERE t1.Z_4PEOPLE = t0.Z_PK) = ?",
                [.integer(0)]),
            Golden(
                "department.people.@count > 3",
                "WHERE CASE WHEN t0.ZDEPARTMENT IS NOT NULL THEN (SELECT COUNT(*) FROM ZPERSON t1 WHERE"
                    + " t1.ZDEPARTMENT = t0.ZDEPARTMENT) END > ?",
                [.integer(3)]),
            Golden(
                "reports.@sum.small > 3",
                "WHERE coalesce((SELECT SUM(t1.ZSMALL) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK), 0) > ?",
                [.integer(3)]),
            Golden(
                "SUBQUERY(reports, $r, $r.small > 0).@count > 1",
                "WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZSMALL > ?) > ?",
                [.integer(0), .integer(1)]),
            Golden(
                "(small & 4) == 4",
                "WHERE t0.ZSMALL & ? = ?",
                [.integer(4), .integer(4)]),
            Golden(
                "small + medium * 2 > (large - 1) * 3",
                "WHERE t0.ZSMALL + t0.ZMEDIUM * ? > (t0.ZLARGE - ?) * ?",
                [.integer(2), .integer(1), .integer(3)]),
            Golden(
                "price * 1.1 > 5",
                "WHERE coredata_decimal_multiply(t0.ZPRICE, ?) > ?",
                [.real(1.1), .integer(5)]),
            Golden(
                "TERNARY(flag == YES, small, medium) == 5",
                "WHERE CASE WHEN t0.ZFLAG = ? THEN t0.ZSMALL ELSE t0.ZMEDIUM END = ?",
                [.integer(1), .integer(5)]),
            Golden(
                "small == 1 OR small == 2 AND NOT (name == nil OR flag == NO)",
                "WHERE t0.ZSMALL = ? OR t0.ZSMALL = ? AND (t0.ZNAME IS NULL OR t0.ZFLAG = ?) IS NOT TRUE",
                [.integer(1), .integer(2), .integer(0)]),
            Golden(
                "TRUEPREDICATE AND name == 'a'",
                "WHERE t0.ZNAME = ?",
                [.text("a")]),
            Golden(
                "FALSEPREDICATE",
                "WHERE FALSE"),
            Golden(
                "entity == %@", [world.model.entitiesByName["Employee"]],
                "WHERE t0.Z_ENT = 5"),
            Golden(
                "uppercase(name) == 'A'",
                "WHERE coredata_uppercase(t0.ZNAME) = ?",
                [.text("A")]),
        ]
    }
}
