import CoreData
import CoreDataRepair
import CoreDataWorkbench
import SQLiteKit
import TestBasics
import Testing

@Suite("Recovery of stores")
struct StoreRecoveryTests {
    private func recover(_ scene: CheckScene, model: URL? = nil) throws -> (RecoveryReport, URL) {
        let target = scene.folder.url.appendingPathComponent("New.sqlite")
        return (try StoreRecovery(scene.url, to: target, model: model).run(), target)
    }

    /// The rows of a table as one text.
    private func rows(_ url: URL, _ table: String) throws -> [String] {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        return try connection.rows("SELECT * FROM \(table) ORDER BY 1, 2").map { "\($0)" }
    }

    @Test("of a sound store everything comes back: keys, versions, links, places, large values and identity (TOOL-16)")
    func soundStore() throws {
        let scene = try CheckScene(history: true)
        let before = try Data(contentsOf: scene.url)
        let (report, target) = try recover(scene)
        #expect(report.rows == ["Person": 3, "Employee": 1, "Passport": 3, "Team": 2, "Group": 2])
        #expect(report.refused == [:] && report.emptied == [:] && report.doubled == 0 && report.orphans == 0)
        #expect(
            report.model == "kept" && report.keepsIdentity && report.check.isSound, "\(report.check.findings.listed)")
        #expect(report.leftOut["ACHANGE"] ?? 0 > 0)
        for table in ["ZPERSON", "ZPASSPORT", "ZTEAM", "ZGROUP", "Z_1PEOPLE", "Z_3FRIENDS", "Z_METADATA"] {
            #expect(try rows(target, table) == rows(scene.url, table))
        }
        #expect(try Data(contentsOf: scene.url) == before)
        let store = try OpenStore(at: target, model: nil)
        let photo: Int? = try store.withObject(at: "Person/p1") { ($0.object.value(forKey: "photo") as? Data)?.count }
        #expect(photo == 200_000)
    }

    @Test("tables of the program's own come back as they are, and nothing that they say is run (TOOL-16)")
    func otherTables() throws {
        let scene = try CheckScene()
        try scene.tamper(
            "CREATE TABLE Settings (name TEXT NOT NULL DEFAULT (hex(randomblob(4))), amount DECIMAL(10, 2), CHECK (length(name) < 50))",
            "INSERT INTO Settings (rowid, name, amount) VALUES (3, 'three', 1.5), (9, 'nine', NULL)",
            "CREATE TABLE numbered (id INTEGER PRIMARY KEY, data BLOB)", "INSERT INTO numbered VALUES (-7, x'0102')",
            "CREATE TABLE computed (a INTEGER, b INTEGER AS (a + 1))", "INSERT INTO computed (a) VALUES (1)",
            "CREATE TRIGGER other AFTER INSERT ON Settings BEGIN DELETE FROM ZTEAM; END")
        let (report, target) = try recover(scene)
        #expect(report.otherRows == ["Settings": 2, "numbered": 1] && report.leftOut["COMPUTED"] == 1, "\(report)")
        let settings = try Connection.open(target.path)
        let found = try settings.rows("SELECT rowid, * FROM Settings ORDER BY rowid").map { "\($0)" }
        let expected = try Connection.open(scene.url.path).rows("SELECT rowid, * FROM Settings ORDER BY rowid").map {
            "\($0)"
        }
        #expect(found == expected && found.count == 2)
        let text = try settings.value(
            "SELECT group_concat(sql) FROM sqlite_master WHERE name IN ('Settings', 'other')")?.text
        #expect(text == "CREATE TABLE Settings (name TEXT, amount DECIMAL(10, 2))", "\(text ?? "")")
        settings.close()
        #expect(try rows(target, "numbered") == rows(scene.url, "numbered"))
        #expect(report.check.isSound, "\(report.check.findings.listed)")
    }

    @Test("without the first page a given model and the rows themselves say where they belong (TOOL-16)")
    func firstPageGone() throws {
        let scene = try CheckScene()
        let expected = try ["ZPERSON", "ZPASSPORT", "ZTEAM", "ZGROUP"].map { try rows(scene.url, $0) }
        var bytes = try Data(contentsOf: scene.url)
        bytes.replaceSubrange(0..<4096, with: Data(count: 4096))
        try bytes.write(to: scene.url)
        // The kept model is found by its form.
        let (report, target) = try recover(scene)
        #expect(!report.hasSchema && report.model == "kept" && report.rowCount == 11, "\(report)")
        #expect(report.keepsIdentity)
        for (table, rows) in zip(["ZPERSON", "ZPASSPORT", "ZTEAM", "ZGROUP"], expected) {
            #expect(try self.rows(target, table) == rows)
        }
    }

    @Test(
        "values of another type than their attribute become nil and are counted; rows without an entity are reported (HAZ-24)"
    )
    func wrongValues() throws {
        let scene = try CheckScene()
        try scene.tamper(
            "UPDATE ZPERSON SET ZAGE = 'old', ZUID = x'01' WHERE Z_PK = 2",
            "UPDATE ZPERSON SET Z_ENT = 88 WHERE Z_PK = 3")
        let (report, _) = try recover(scene)
        #expect(report.emptied == ["Person.age": 1, "Person.uid": 1])
        #expect(report.refused.values.reduce(0, +) == 1 && report.rows["Person"] == 2)
        #expect(report.check.findings.counts[.missingValue] == 1)
    }

    @Test("of a row that is there twice the newer one is taken, wherever it is (TOOL-16)", arguments: [true, false])
    func doubledRows(isOlderLeftBehind: Bool) throws {
        let scene = try CheckScene()
        let root = Int(
            try #require(try scene.value("SELECT rootpage FROM sqlite_master WHERE name = 'ZTEAM'")?.integer))
        let before = try Data(contentsOf: scene.url)
        try scene.tamper("UPDATE ZTEAM SET ZTITLE = 'Newer', Z_OPT = Z_OPT + 5")
        let after = try Data(contentsOf: scene.url)
        // A page behind the last one to which nothing leads.
        let (file, left) = isOlderLeftBehind ? (after, before) : (before, after)
        try (file + left[(root - 1) * 4096..<root * 4096]).write(to: scene.url)
        let (report, target) = try recover(scene)
        #expect(report.doubled == 2 && report.rows["Team"] == 2, "\(report)")
        #expect(try rows(target, "ZTEAM").allSatisfy { $0.contains("Newer") })
    }

    @Test("whole commits of the log are taken, and no others (HAZ-06, TOOL-16)")
    func wholeCommitsOfLogAreTaken() throws {
        let scene = try CheckScene()
        let connection = try Connection.open(scene.url.path)
        defer { connection.close() }
        try connection.setPragma("wal_autocheckpoint", to: 0)
        try connection.execute("UPDATE ZTEAM SET ZTITLE = 'Green' WHERE Z_PK = 1")
        let log = try Data(contentsOf: URL(fileURLWithPath: scene.url.path + "-wal"))
        // A commit of two pages, of which the last is spoilt.
        try connection.transaction {
            try connection.execute("UPDATE ZTEAM SET ZTITLE = 'Black' WHERE Z_PK = 1")
            try connection.execute("UPDATE ZGROUP SET ZLABEL = 'Black' WHERE Z_PK = 1")
        }
        var longer = try Data(contentsOf: URL(fileURLWithPath: scene.url.path + "-wal"))
        longer[longer.count - 1] ^= 1
        let copy = scene.folder.url.appendingPathComponent("Copy.sqlite")
        try FileManager.default.copyItem(at: scene.url, to: copy)
        for (bytes, name) in [(log, "a"), (longer, "b")] {
            try bytes.write(to: URL(fileURLWithPath: copy.path + "-wal"))
            let target = scene.folder.url.appendingPathComponent("\(name).sqlite")
            _ = try StoreRecovery(copy, to: target).run()
            #expect(try rows(target, "ZTEAM")[0].contains("Green"))
            #expect(try rows(target, "ZGROUP")[0].contains("g1"))
        }
    }

    @Test("texts in UTF-16 come back (HAZ-25)", arguments: ["UTF-16le", "UTF-16be"])
    func otherEncodings(encoding: String) throws {
        let scene = try CheckScene()
        let other = scene.folder.url.appendingPathComponent("Other.sqlite")
        let connection = try Connection.open(other.path, OpenOptions(mode: .create))
        _ = try connection.value("PRAGMA encoding = '\(encoding)'")
        try connection.execute("CREATE TABLE first (a)")
        connection.close()
        // Databases of different encodings cannot be attached, so rows go through this program.
        let source = try Connection.open(scene.url.path)
        let target = try Connection.open(other.path)
        for row in try source.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'") {
            let name = try #require(row[0].text)
            try target.execute(try #require(row[1].text))
            for values in try source.rows("SELECT * FROM \(name)") {
                try target.execute(
                    "INSERT INTO \(name) VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))", values)
            }
        }
        try target.execute("UPDATE ZTEAM SET ZTITLE = 'Grün 🌱' WHERE Z_PK = 1")
        source.close()
        target.close()
        let place = scene.folder.url.appendingPathComponent("New.sqlite")
        let report = try StoreRecovery(other, to: place).run()
        #expect(report.rowCount == 11)
        #expect(try rows(place, "ZTEAM")[0].contains("Grün 🌱"))
    }

    @Test(
        "a file that is not a store is refused, nothing is written over, and nothing is left behind (HAZ-03, TOOL-16)")
    func filesThatAreNotStoresAreRefused() throws {
        let scene = try CheckScene()
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path).sorted()
        #expect(throws: InspectionError.self) { try StoreRecovery(scene.url, to: scene.url).run() }
        let target = scene.folder.url.appendingPathComponent("New.sqlite")
        let nothing = scene.folder.url.appendingPathComponent("nothing")
        #expect(throws: InspectionError.self) { try StoreRecovery(nothing, to: target).run() }
        try Data(repeating: 7, count: 50_000).write(to: nothing)
        #expect(throws: InspectionError.self) { try StoreRecovery(nothing, to: target).run() }
        try FileManager.default.removeItem(at: nothing)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path).sorted() == names)
    }
}
