import CoreDataFoundation
import CoreDataSQL
import Foundation
import SQLiteKit
import Testing

@MainActor
@Suite("Predicates as SQL")
struct GoldenTests {
    private var world: QueryWorld { DifferentialTests.world }

    @Test("predicates become these texts, plans and rows (FET-03, PRD-08 to PRD-24, PRD-27, HAZ-52)")
    func predicatesBecomeText() throws {
        let file = try GoldenFile("Predicates")
        let version = "SQLite \(try world.connection.value("SELECT sqlite_version()")?.text ?? "")"
        var titles: [String: Int] = [:]
        var entries: [GoldenFile.Entry] = []
        for shape in try GoldenShapes.all(world) {
            let predicate = try NSPredicate(parsing: shape.format, arguments: shape.arguments)
            titles[shape.format, default: 0] += 1
            let number = titles[shape.format] ?? 1
            entries.append(try world.goldenEntry(shape.format + (number > 1 ? " (\(number))" : ""), predicate))
            let found = try world.keys(world.query("Person", predicate)).sorted()
            #expect(try found == world.keysInMemory(predicate), "\(shape.format)")
        }
        #expect(entries.count >= 150)
        if GoldenFile.isRecording { try file.record(entries, version: version) }
        let differences = try GoldenFile("Predicates").differences(from: entries, version: version)
        let hint = "\(GoldenFile.recordingVariable)=1 records them"
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))\n\(hint)")
    }

    @Test("conditions stand in SQL in their written order (PRD-24)")
    func orderOfConditionsIsKept() throws {
        let columns = ["ZSMALL", "ZNAME", "ZRATIO"]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let parts = order.map { ["small == 1", "name == 'a'", "ratio == 2.0"][$0] }
            for word in [" AND ", " OR "] {
                let sql = try world.compiled(NSPredicate(format: parts.joined(separator: word))).sql
                let wanted = order.map { "t0.\(columns[$0]) = ?" }.joined(separator: word)
                #expect(sql.hasSuffix("WHERE " + wanted))
            }
        }
    }

    @Test("a decimal that a column of decimals cannot hold is asked for as it is kept, and no other number is (MOD-15)")
    func decimalsAreRounded() throws {
        let long = NSDecimalNumber(string: "0.1234567890123456789012345678901234567")
        let kept = SQLParameter.real(0.123456789012346)
        func parameters(_ format: String, _ arguments: [Any?]) throws -> [SQLParameter] {
            try world.compiled(NSPredicate(parsing: format, arguments: arguments)).parameters.filter { $0 != .text("") }
        }
        for format in ["price == %@", "price != %@", "%@ > price", "price < %@", "price >= %@"] {
            #expect(try parameters(format, [long]) == [kept], "\(format)")
        }
        #expect(try parameters("price BETWEEN %@", [[long, 5]]) == [kept, .integer(5)])
        #expect(try parameters("price IN %@", [[long, 5]]) == [kept, .integer(5)])
        #expect(try parameters("ANY reports.price == %@", [long]).contains(kept))
        #expect(try parameters("price == %@", [Decimal(9_007_199_254_740_993)]) == [.integer(9_007_199_254_740_993)])
        #expect(try parameters("price == %@", [0.1 + 0.2]) == [.real(0.1 + 0.2)])
        #expect(try parameters("ratio < %@", [long]) == [.real(0.12345678901234568)])
        let (plain, rounded) = (NSPredicate(format: "price < 0.5"), NSPredicate(format: "price < %@", long))
        #expect(try world.compiled(plain).sql == world.compiled(rounded).sql)
    }

    @Test("predicate and sort descriptors share joins; pages end with the key (FET-04)")
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

    @Test("a count within limits is one of a sub-query (FET-07)")
    func countBecomesText() throws {
        let predicate = NSPredicate(format: "small == 1")
        let plain = try world.compiler.count(world.query("Manager", predicate))
        #expect(plain.sql == "SELECT COUNT(*) FROM ZPERSON t0 WHERE t0.Z_ENT = 6 AND t0.ZSMALL = ?")
        let limited = try world.compiler.count(world.query("Person", predicate, limit: 7))
        #expect(
            limited.sql == "SELECT COUNT(*) FROM (SELECT 1 FROM ZPERSON t0 WHERE t0.ZSMALL = ? LIMIT ? OFFSET ?) w")
        #expect(limited.parameters == [.integer(1), .integer(7), .integer(0)])
    }

    @Test("lists of any length over 500 share one text and bind one value (PRD-21)")
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
}
