import CoreData
import SQLiteKit
import StoreContract
import Testing

/// `coredata migrate --plan` and `--sql`, and what is refused.
struct MigratePlanTests {
    @Test("a plan lists path, steps, rows and losses with their numbers, and changes no byte (MIG-22)")
    func planListsStepsAndChangesNothing() throws {
        let almanac = try Almanac(heroes: 500)
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let outcome = try almanac.migrate("--version", "Small", "--plan")
        #expect(outcome.code == 3)
        for text in [
            "path    One -> Small  lightweight", "copy rows", "time    about", "room    about",
            "lost    entity Power: 500 objects", "lost    attribute Hero.age: 2 values",
            "lost    relationship Hero.powers: 500 objects with links",
        ] { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
        let json = try almanac.migrate("--version", "Small", "--plan", "--format", "json")
        #expect(json.code == 3)
        let report: [String: Any] = try json.json()
        #expect(report["result"] as? String == "losesData")
        #expect((report["source"] as? [String: Any])?["origin"] as? String == "store")
        let path = try #require(report["path"] as? [[String: Any]])
        #expect(path.map { $0["kind"] as? String } == ["lightweight"])
        let steps = try #require(report["steps"] as? [[String: Any]])
        let copied = try #require(steps.first { $0["kind"] as? String == "copy rows" })
        #expect(copied["subject"] as? String == "Hero")
        #expect(copied["rows"] as? Int == 501)
        #expect(((report["estimate"] as? [String: Any])?["bytes"] as? Int ?? 0) > 501)
        #expect(report["refusal"] is NSNull)
        #expect(try FolderState(around: almanac.store) == before)
        // Losing is no reason to fail for who said that it may be.
        #expect(try almanac.migrate("--version", "Small", "--plan", "--allow-loss").code == 0)
    }

    @Test func planWithoutLossIsPossible() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let outcome = try almanac.migrate("--plan", "--format", "json")
        #expect(outcome.code == 0)
        let report: [String: Any] = try outcome.json()
        #expect(report["result"] as? String == "possible")
        #expect((report["losses"] as? [Any])?.isEmpty == true)
    }

    @Test("what cannot be inferred is refused with 134140 naming it, and the store is untouched (MIG-10)")
    func retypedAttributeIsRefused() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let plain = try almanac.migrate("--version", "Retyped")
        expectRefusal(plain, containing: "[134140]", "attribute Event.title")
        let planned = try almanac.migrate("--version", "Retyped", "--plan", "--format", "json")
        #expect(planned.code == 1)
        let report: [String: Any] = try planned.json()
        #expect(report["result"] as? String == "refused")
        let refusal = try #require(report["refusal"] as? [String: Any])
        #expect(refusal["code"] as? Int == 134140)
        let items = try #require(refusal["items"] as? [[String: Any]])
        #expect(items.contains { $0["entity"] as? String == "Event" && $0["name"] as? String == "title" })
        let migrated: [String: Any] = try almanac.migrate("--version", "Retyped", "--format", "json").json()
        #expect((migrated["refusal"] as? [String: Any])?["code"] as? Int == 134140)
        #expect(try FolderState(around: almanac.store) == before)
    }

    @Test func collisionsAreRefusedBeforeAnythingIsDone() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let plan = try almanac.migrate("--version", "Unique", "--plan")
        #expect(plan.code == 1)
        #expect(plan.output.contains("twice   Event by title"), "\(plan.output)")
        #expect(plan.errors.contains("[134111]"))
        expectRefusal(try almanac.migrate("--version", "Unique"), containing: "[134111]", "Event by title")
        let report: [String: Any] = try almanac.migrate("--version", "Unique", "--plan", "--format", "json").json()
        let collisions = try #require(report["collisions"] as? [[String: Any]])
        #expect(collisions.map { $0["entity"] as? String } == ["Event"])
        #expect(collisions.map { $0["properties"] as? [String] } == [["title"]])
        #expect(try FolderState(around: almanac.store) == before)
    }

    @Test("a store whose version cannot be found is refused with 134130, until --from names it (MIG-10)")
    func unknownSourceNeedsFrom() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        try Database.change(almanac.store, "DELETE FROM Z_MODELCACHE")
        // One of the package's versions has the hashes.
        let found: [String: Any] = try almanac.migrate("--plan", "--format", "json").json()
        #expect((found["source"] as? [String: Any])?["origin"] as? String == "package")
        #expect((found["source"] as? [String: Any])?["name"] as? String == "One")
        let two = URL(fileURLWithPath: almanac.package).appendingPathComponent("Two.xcdatamodel").path
        let one = URL(fileURLWithPath: almanac.package).appendingPathComponent("One.xcdatamodel").path
        expectRefusal(try Tool.run("migrate", almanac.store.path, "--to", two), containing: "[134130]", "--from MODEL")
        expectRefusal(
            try Tool.run("migrate", almanac.store.path, "--to", two, "--from", two), containing: "[134130]", "City")
        let given = try Tool.run("migrate", almanac.store.path, "--to", two, "--from", one)
        #expect(given.code == 0, "\(given.errors)")
        #expect(given.output.contains("(as given)"))
        #expect(try almanac.with("Two") { try $0.all("Hero").count } == 4)
    }

    @Test("the statements are printed in the order in which they run, and make the new tables (MIG-18)")
    func statementsMakeTheNewTables() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let outcome = try almanac.migrate("--sql")
        #expect(outcome.code == 0)
        #expect(try FolderState(around: almanac.store) == before)
        let statements = outcome.output.split(separator: "\n").map(String.init)
        #expect(statements.contains { $0.hasPrefix("CREATE TABLE") && $0.contains("ZCITY") }, "\(outcome.output)")
        #expect(statements.contains("ALTER TABLE ZHERO ADD COLUMN ZCOLOR VARCHAR;"), "\(outcome.output)")
        #expect(statements.allSatisfy { $0.hasSuffix(";") })
        let listed: [[String: Any]] = try almanac.migrate("--sql", "--format", "json").json()
        #expect(listed.map { ($0["statement"] as? String ?? "") + ";" } == statements)
    }

    @Test func storeThatSomebodyHasOpenIsRefused() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let connection = try Connection.open(almanac.store.path)
        defer { connection.close() }
        try connection.execute("BEGIN IMMEDIATE")
        let outcome = try almanac.migrate()
        expectRefusal(outcome, containing: "another coordinator or process has it open", "[134110]")
        try connection.execute("ROLLBACK")
        #expect(try almanac.backup() == nil)
        #expect(try almanac.with("One") { try $0.all("Hero").count } == 4)
    }

    @Test func optionsThatContradictEachOther() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        for words in [["--plan", "--sql"], ["--plan", "--no-backup"]] {
            #expect(
                try Tool.run(["migrate", almanac.store.path, "--to", almanac.package] + words).code == 2, "\(words)")
        }
        #expect(try Tool.run("migrate", almanac.store.path).code == 2)
        expectRefusal(try almanac.migrate("--version", "Tow"), containing: "there is no version 'Tow'")
        expectRefusal(try almanac.migrate("--configuration", "Cloud"), containing: "no configuration 'Cloud'")
    }

    @Test("what is lost of a composite attribute is named by its element, and counted (MIG-22)")
    func lossesOfComposites() throws {
        let gallery = try Gallery()
        func plan(_ name: String, _ source: String) throws -> String {
            let version = gallery.file("\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(source.utf8).write(to: version.appendingPathComponent("contents"))
            return try Tool.run(["migrate", gallery.store.path, "--to", version.path, "--plan"]).output
        }
        let element = #"<attribute name="height" optional="YES" attributeType="Double"/>"#
        let narrow = try plan("Narrow", Gallery.source.replacing(element, with: ""))
        #expect(narrow.contains("attribute Work.place.height: 6 values"), "\(narrow)")
        let whole = #"<attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>"#
        let without = try plan("Without", Gallery.source.replacing(whole, with: ""))
        #expect(without.contains("attribute Work.place: 6 values"), "\(without)")
    }
}
