import CoreData
import TestBasics
import Testing

@Suite struct ModelDiffTests {
    @Test("versions of one package are compared; the exit codes are those of diff (MIG-22)")
    func versionsOfAPackageAreCompared() throws {
        let library = try Library()
        defer { library.remove() }
        let package = library.package.path
        let outcome = try Tool.run("model", "diff", package, "--from", "Library")
        #expect(outcome.code == 1)
        #expect(outcome.errors == "")
        #expect(outcome.output.contains("\n+ attribute Book.shelf  #\n"))
        #expect(outcome.output.contains("\nMigration: lightweight, it can be inferred\n"))
        let equal = try Tool.run("model", "diff", package, "--from", "Library", "--to", "Library")
        #expect(equal.code == 0)
        #expect(equal.output.contains("The models say the same."))
        let trouble = try Tool.run("model", "diff", package, "--from", "None")
        #expect(trouble.code == 2)
        #expect(trouble.errorLines.count == 1)
        #expect(trouble.errors.contains("there is no version 'None' (there are 'Library', 'Library 2')"))
        #expect(try Tool.run("model", "diff", package).code == 2)
        #expect(try Tool.run("model", "diff", package, package, "--from", "Library").code == 2)
    }

    @Test("a store is compared by the model that it keeps (MIG-22)")
    func storesAreCompared() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        let outcome = try Tool.run("model", "diff", library.store.path, library.package.path, "--format", "json")
        #expect(outcome.code == 1)
        let report: [String: Any] = try outcome.json()
        let changes = try #require(report["changes"] as? [[String: Any]])
        let hashed = changes.filter { $0["changesVersionHash"] as? Bool == true }
        #expect(hashed.compactMap { $0["name"] as? String } == ["shelf"])
        #expect((report["migration"] as? [String: Any])?["verdict"] as? String == "lightweight")
        #expect(report["entitiesWithOtherHash"] as? [String] == ["Book", "Novel"])
        #expect(try FolderState(around: library.store) == before)
        let same = try Tool.run(
            "model", "diff", library.store.path, library.package.path + "/Library.xcdatamodel", "--format", "json")
        #expect(
            (try same.json(as: [String: Any].self)["migration"] as? [String: Any])?["verdict"] as? String
                == "unnecessary")
    }

    @Test("what stands in the way is named with entity and property (MIG-22)")
    func obstaclesAreNamed() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let old = try folder.package(
            "Old.xcdatamodeld", ("M", #"<entity name="Hero"><attribute name="born" attributeType="String"/></entity>"#))
        let new = try folder.package(
            "New.xcdatamodeld", ("M", #"<entity name="Hero"><attribute name="born" attributeType="Date"/></entity>"#))
        let outcome = try Tool.run("model", "diff", old, new)
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("~ attribute Hero.born  #\n    type: String -> Date  #\n"))
        #expect(outcome.output.contains("Migration: needs a mapping model"))
        #expect(outcome.output.contains("because: attribute Hero.born: its type was String and is Date"))
    }

    @Test("shipped pairs of versions, with and without mapping models (MIG-22)", .enabled(if: Fixtures.areAvailable))
    func fixtureVersionsAreCompared() throws {
        let package = Fixtures.url("stores/xcservercoredata/Resources/XCServerCoreData.xcdatamodeld").path
        let outcome = try Tool.run(
            "model", "diff", package, "--from", "XCServerCoreData1.2.0", "--to", "XCServerCoreData2.0.0", "--format",
            "json")
        let report: [String: Any] = try outcome.json()
        let migration = try #require(report["migration"] as? [String: Any])
        #expect(migration["verdict"] as? String == "mappingModel")
        let obstacles = try #require(migration["obstacles"] as? [[String: Any]])
        #expect(obstacles.compactMap { $0["name"] as? String } == ["endedTime", "queuedDate", "startedTime"])
    }

    @Test("names with control characters and unreadable models are reported safely (HAZ-47)")
    func hostileModelsAreCompared() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let old = try folder.package("Old.xcdatamodeld", ("M", #"<entity name="A"/>"#))
        let new = try folder.package(
            "New.xcdatamodeld",
            (
                "M",
                "<entity name=\"A\"><userInfo><entry key=\"k\" value=\"\u{202E}turned&#10;line\"/></userInfo></entity>"
            ))
        let outcome = try Tool.run("model", "diff", old, new)
        #expect(outcome.output.contains("user info: (none) -> k = \\u202Eturned\\nline\n"))
        let bad = try folder.package("Bad.xcdatamodeld", ("M", "<entity name=\"A\" parentEntity=\"A\"/>"))
        let trouble = try Tool.run("model", "diff", old, bad)
        #expect(trouble.code == 2)
        #expect(!trouble.wasKilled)
        #expect(trouble.errors.contains("inherits from itself"))
    }
}
