import CoreData
import Testing

@Suite("coredata recover")
struct RecoverTests {
    @Test("a store whose pages are damaged is recovered into a new one, which is checked; the old one stays (TOOL-16)")
    func damagedStore() throws {
        let library = try Library()
        defer { library.remove() }
        var bytes = try Data(contentsOf: library.store)
        // The schema is gone, so that SQLite opens nothing.
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xEE, count: 3_996))
        try bytes.write(to: library.store)
        let before = try FolderState(around: library.store)
        let target = try Scratch.folder().appendingPathComponent("New.sqlite")
        defer { try? FileManager.default.removeItem(at: target.deletingLastPathComponent()) }
        #expect(try Tool.run("check", library.store.path).code == 1)
        let outcome = try Tool.run("recover", library.store.path, "-o", target.path)
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.output.contains("\nBook: 3\n") && outcome.output.contains("\nNovel: 1\n"), "\(outcome.output)")
        #expect(outcome.output.hasSuffix("The store is sound.\n"))
        #expect(try FolderState(around: library.store) == before)
        let books: [[String: Any]] = try Tool.run("fetch", target.path, "Book", "--format", "json").json()
        #expect(books.count == 4)
        #expect((books.first?["objectID"] as? String)?.contains(library.uuid) == true)
        expectRefusal(
            try Tool.run("recover", library.store.path, "-o", target.path), containing: "the file exists already")
        #expect(try Tool.run("recover", library.store.path).code == 2)
    }

    @Test("the URL of a server is not taken for the file at its path (TOOL-16)")
    func serversAreNotRecovered() throws {
        let library = try Library()
        defer { library.remove() }
        let place = "postgresql://me:hushhush@h\(library.store.path)"
        let new = library.folder.appendingPathComponent("New.sqlite").path
        for words in [["recover", place, "-o", new], ["reset", place, "--yes"]] {
            let outcome = try Tool.run(words)
            expectRefusal(outcome, containing: "server")
            #expect(!outcome.errors.contains("hushhush"), "\(outcome.errors)")
        }
        #expect(FileManager.default.fileExists(atPath: library.store.path))
        #expect(!FileManager.default.fileExists(atPath: new))
        for command in ["check", "recover", "vacuum", "reset"] {
            #expect(!(try Tool.run("help", command).output.contains("postgresql:")), "\(command)")
        }
    }

    @Test("a file without anything to read is refused, and nothing is left (TOOL-16)")
    func nothingToRead() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("x.sqlite")
        try Data(repeating: 1, count: 20_000).write(to: file)
        expectRefusal(
            try Tool.run("recover", file.path, "-o", folder.appendingPathComponent("new").path), containing: "--model")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.sqlite"])
    }
}
