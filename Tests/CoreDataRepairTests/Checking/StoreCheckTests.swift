import CoreData
import CoreDataRepair
import CoreDataWorkbench
import SQLiteKit
import TestBasics
import Testing

@Suite("Checks of stores")
struct StoreCheckTests {
    @Test("a sound store has no findings (TOOL-16)", arguments: [false, true])
    func soundStore(history: Bool) throws {
        let report = try CheckScene(history: history).check()
        #expect(report.findings.listed == [])
        #expect(report.isSound && report.remarks == [])
    }

    @Test(
        "each fault is found and named (HAZ-14, HAZ-16, HAZ-17, HAZ-18, HAZ-19, HAZ-20, HAZ-21, HAZ-22, HAZ-24, HAZ-25, HAZ-29, HAZ-31)",
        arguments: StoreDamage.all)
    func faultsAreFound(damage: StoreDamage) throws {
        let scene = try CheckScene()
        for statement in damage.statements { try scene.tamper(statement) }
        let before = try Data(contentsOf: scene.url)
        let report = try scene.check()
        let found = report.findings.listed.filter { $0.kind == damage.kind }
        #expect(Set(report.findings.counts.keys).subtracting(damage.also) == [damage.kind], "\(report.findings.listed)")
        #expect(!found.isEmpty && found.allSatisfy { $0.isRepairable == damage.isRepairable })
        #expect(found.compactMap(\.object).sorted() == damage.objects, "\(found)")
        if let property = damage.property { #expect(Set(found.map(\.property)) == [property]) }
        #expect(try Data(contentsOf: scene.url) == before)
    }

    @Test("an index out of step with its table is found, and can be repaired (HAZ-12)")
    func indexOutOfStep() throws {
        let scene = try CheckScene()
        var bytes = try Data(contentsOf: scene.url)
        // The index was made after the row, so its copy of the value is another one in the file.
        let places = bytes.ranges(of: Data("c2".utf8))
        #expect(places.count == 2)
        bytes[try #require(places.last).lowerBound] = UInt8(ascii: "b")
        try bytes.write(to: scene.url)
        let report = try scene.check()
        #expect(Set(report.findings.counts.keys) == [.indexOutOfStep], "\(report.findings.listed.map(\.sentence))")
        #expect(report.findings.repairable == report.findings.count)
    }

    @Test(
        "a history that is half there is found (HAZ-32)", arguments: ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"])
    func halfHistory(table: String) throws {
        let scene = try CheckScene(history: true)
        try scene.tamper("DROP TABLE \(table)")
        let report = try scene.check()
        let expected: Set<StoreFinding.Kind> = table == "ATRANSACTIONSTRING" ? [] : [.history]
        #expect(Set(report.findings.counts.keys) == expected, "\(report.findings.listed)")
    }

    @Test("changes of a transaction that is not there are found, and all are counted (HAZ-32)")
    func changesWithoutTransaction() throws {
        let scene = try CheckScene(history: true)
        let count = try #require(try scene.value("SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID > 1")?.integer)
        try scene.tamper("DELETE FROM ATRANSACTION WHERE Z_PK > 1")
        let report = try scene.check()
        #expect(report.findings.counts == [.history: Int(count)])
    }

    @Test("of many findings all are counted and some listed (TOOL-16)")
    func findingsAreCapped() throws {
        let scene = try CheckScene()
        try scene.tamper(
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5009) INSERT INTO ZTEAM (Z_PK, Z_ENT, "
                + "Z_OPT, ZTITLE) SELECT i, 5, 1, x'00' FROM n",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9999 WHERE Z_NAME = 'Team'")
        var check = StoreCheck(scene.url)
        check.limit = 7
        let report = try check.run()
        #expect(report.findings.counts == [.wrongType: 5_000])
        #expect(report.findings.listed.count == 7 && report.findings.repairable == 5_000)
    }

    @Test("a file that is not a store is refused, and a damaged one is a finding (HAZ-03, TOOL-16)")
    func noStore() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("x.sqlite")
        try Data(repeating: 65, count: 5_000).write(to: url)
        #expect(throws: InspectionError.self) { try StoreCheck(url).run() }
        let scene = try CheckScene()
        var bytes = try Data(contentsOf: scene.url)
        bytes.replaceSubrange(4096..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 4096))
        try bytes.write(to: scene.url)
        let report = try scene.check()
        #expect(report.findings.counts[.damagedFile] ?? 0 > 0)
    }
}
