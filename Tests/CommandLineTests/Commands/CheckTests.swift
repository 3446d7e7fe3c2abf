import CoreData
import TestBasics
import Testing

@Suite("coredata check")
struct CheckTests {
    @Test("a sound store ends with 0, findings with 1, and a file that is not a store with 2 (TOOL-16)")
    func exitCodes() throws {
        let library = try Library()
        defer { library.remove() }
        let sound = try Tool.run("check", library.store.path)
        #expect(sound.code == 0 && sound.output == "The store is sound.\n", "\(sound)")
        try Database.change(library.store, "UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 1")
        let before = try FolderState(around: library.store)
        let found = try Tool.run("check", library.store.path)
        #expect(found.code == 1 && found.errors == "")
        #expect(found.output.contains("dangling-reference: Book/p1.author: The relationship leads to the row 99"))
        #expect(found.output.contains("1 finding, of which 1 can be repaired."))
        let report: [String: Any] = try Tool.run("check", library.store.path, "--format", "json").json()
        #expect(report["sound"] as? Bool == false && report["count"] as? Int == 1)
        #expect((report["findings"] as? [[String: Any]])?.first?["object"] as? String == "Book/p1")
        #expect(try FolderState(around: library.store) == before)
        try Data("text".utf8).write(to: library.store)
        let none = try Tool.run("check", library.store.path)
        #expect(none.code == 2 && none.output == "" && none.errorLines.count == 1)
    }

    @Test("--repair repairs a copy, then the store after a backup, and lists the repairs (TOOL-16)")
    func repairChangesCopyThenStoreAfterBackup() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(library.store, "UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 1")
        let before = try Data(contentsOf: library.store)
        let copy = library.folder.appendingPathComponent("Copy.sqlite")
        let copied = try Tool.run("check", library.store.path, "--repair", "-o", copy.path)
        #expect(copied.code == 0, "\(copied)")
        #expect(copied.output.contains("repaired dangling-reference: Book/p1.author:"))
        #expect(try Data(contentsOf: library.store) == before)
        #expect(try Tool.run("check", copy.path).code == 0)
        let again = try Tool.run("check", library.store.path, "--repair", "-o", copy.path)
        #expect(again.code == 2 && again.errors.contains("a file of this name exists already"), "\(again)")
        let report: [String: Any] = try Tool.run("check", library.store.path, "--repair", "--format", "json").json()
        #expect(report["repaired"] as? Int == 1)
        let backup = try #require(report["backup"] as? String)
        #expect(try Tool.run("check", backup).code == 1)
        #expect(try Tool.run("check", library.store.path).code == 0)
        #expect(try Tool.run("check", library.store.path, "-o", "x").code == 2)
    }

    @Test(
        "every store that Apple's framework wrote is sound, and stays as it is (TOOL-16)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)), arguments: FixtureStoreTests.stores)
    func fixturesAreSound(path: String) throws {
        let store = try Fixtures.copyOfStore(path)
        defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
        let before = try FolderState(around: store)
        let outcome = try Tool.run("check", store.path)
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(try FolderState(around: store) == before)
    }
}
