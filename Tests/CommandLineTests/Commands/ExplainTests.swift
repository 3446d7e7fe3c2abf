import CoreData
import TestBasics
import Testing

@Suite struct ExplainTests {
    /// The sample library with 200 more books.
    private func library() throws -> Library {
        let library = try Library()
        let inserted = try Tool.run(
            ["insert", library.store.path, "Book", "--json", Self.books] + library.model)
        try #require(inserted.code == 0, "\(inserted.errors)")
        return library
    }

    private static let books =
        "["
        + (1...200).map { "{\"title\": \"More \($0)\", \"pages\": \($0 % 20), \"rating\": \($0)}" }.joined(
            separator: ",") + "]"

    private func explain(_ library: Library, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["explain", library.store.path] + arguments + library.model)
    }

    private func json(_ library: Library, _ arguments: String...) throws -> [String: Any] {
        let outcome = try Tool.run(
            ["explain", library.store.path, "Book", "--format", "json"] + arguments + library.model)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.json()
    }

    @Test("a scan is shown with its cost and the index that spares it, and the store stays as it was")
    func scanIsExplained() throws {
        let library = try library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        let outcome = try explain(library, "Book", "--where", "pages == 7", "--sort", "rating")
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        for line in [
            "SQL", "  |--SCAN t0", "  `--USE TEMP B-TREE FOR ORDER BY", "  rows returned  10",
            "  rows visited   204 of ZBOOK (t0)", "  sort           in a temporary b-tree",
            "  over pages, rating of Book would help: 10 rows visited instead of 204, and nothing is sorted",
            "In the model, for entity Book", "  <fetchIndex name=\"byPagesAndRating\">",
            "      <fetchIndexElement property=\"pages\" type=\"Binary\" order=\"ascending\"/>", "  </fetchIndex>",
            "  CREATE INDEX Z_Book_byPagesAndRating ON ZBOOK (ZPAGES COLLATE BINARY ASC, ZRATING COLLATE BINARY ASC)",
            "  `--SEARCH t0 USING INDEX Z_Book_byPagesAndRating (ZPAGES=?)",
        ] { #expect(outcome.output.split(separator: "\n").contains(Substring(line)), "\(line)\n\(outcome.output)") }
        #expect(outcome.output.contains("SELECT t0.Z_PK"))
        #expect(try FolderState(around: library.store) == before)
    }

    @Test func descendingSortNeedsADescendingIndex() throws {
        let library = try library()
        defer { library.remove() }
        let report = try json(library, "--sort", "-rating", "--limit", "3")
        let suggestion = try #require(report["suggestion"] as? [String: Any])
        #expect((suggestion["elements"] as? [[String: Any]])?.first?["ascending"] as? Bool == false)
        #expect(suggestion["sortsInTemporaryTree"] as? Bool == false)
        #expect((suggestion["rows"] as? [String: Any])?["returned"] as? Int == 3)
        #expect(report["sortsInTemporaryTree"] as? Bool == true)
    }

    @Test func jsonHasTheWholeExplanation() throws {
        let library = try library()
        defer { library.remove() }
        let report = try json(library, "--where", "pages == 7")
        #expect(report["entity"] as? String == "Book")
        let plan = try #require(report["plan"] as? [[String: Any]])
        #expect(plan.map { $0["detail"] as? String } == ["SCAN t0"])
        let rows = try #require(report["rows"] as? [String: Any])
        #expect(rows["returned"] as? Int == 10)
        let visited = try #require(rows["visited"] as? [[String: Any]])
        #expect(visited.first?["rows"] as? Int == 204)
        let suggestion = try #require(report["suggestion"] as? [String: Any])
        #expect(suggestion["name"] as? String == "byPages")
        #expect(suggestion["isMeasured"] as? Bool == true)
        #expect(report["reason"] is NSNull)
    }

    @Test("the suggested lines make a model whose store has the index, and the fetch uses it")
    func suggestionIsTrue() throws {
        let library = try library()
        defer { library.remove() }
        let lines = try #require(
            (try json(library, "--where", "pages == 7")["suggestion"] as? [String: Any])?["model"] as? String)
        let contents = library.package.appendingPathComponent("Library.xcdatamodel/contents")
        let source = try String(contentsOf: contents, encoding: .utf8)
            .replacing(
                "<fetchIndex name=\"byTitle\">", with: lines + "<fetchIndex name=\"byTitle\">", maxReplacements: 1)
        let model = try NSManagedObjectModel(source: Data(source.utf8))
        let url = library.folder.appendingPathComponent("New.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: url))
        let explained = try Tool.run("explain", url.path, "Book", "--where", "pages == 7")
        #expect(explained.output.contains("`--SEARCH t0 USING INDEX Z_Book_byPages (ZPAGES=?)"), "\(explained.output)")
    }

    @Test func fetchThatNoIndexHelpsSaysSo() throws {
        let library = try library()
        defer { library.remove() }
        let whole = try explain(library, "Book")
        #expect(whole.output.contains("no index would help: the fetch has no conditions and no order"))
        #expect(!whole.output.contains("fetchIndex"))
        let contains = try explain(library, "Book", "--where", "title CONTAINS 'ore'")
        #expect(contains.output.contains("no index would help"), "\(contains.output)")
        let indexed = try explain(library, "Book", "--where", "title == 'More 7'")
        #expect(indexed.output.contains("no index would help"), "\(indexed.output)")
        #expect(indexed.output.contains("rows visited   1 of ZBOOK (t0)"), "\(indexed.output)")
    }

    @Test func valuesOfThePredicateAreNotShown() throws {
        let library = try library()
        defer { library.remove() }
        let outcome = try explain(library, "Book", "--where", "title == 'Secret' AND pages == 4711")
        #expect(!outcome.output.contains("Secret") && !outcome.output.contains("4711"))
    }

    @Test func mistakesAreToldAsByFetch() throws {
        let library = try library()
        defer { library.remove() }
        for arguments in [
            ["Bok"], ["Book", "--where", "pages =="], ["Book", "--where", "pgaes == 1"], ["Book", "--sort", "tags"],
            ["Book", "--where", "title == $NAME"],
        ] {
            let fetched = try Tool.run(["fetch", library.store.path] + arguments + library.model)
            let explained = try Tool.run(["explain", library.store.path] + arguments + library.model)
            #expect(explained.code == 1 && explained.output == "")
            #expect(explained.errors == fetched.errors)
        }
        #expect(try explain(library, "Book", "--limit", "x").code == 2)
        #expect(try explain(library, "Book", "--format", "csv").code == 2)
    }

    @Test func helpTellsOfIt() throws {
        #expect(try Tool.run("help").output.contains("explain"))
        #expect(try Tool.run("help", "explain").output.contains("--where"))
    }

    @Test(
        "fetches of every entity of every store that Apple's framework wrote are explained (TOOL-16)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func fixturesAreExplained() throws {
        var explained = 0
        for path in TestSeed.sample(FixtureStoreTests.stores, step: 4) {
            let store = try Fixtures.copyOfStore(path)
            defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
            let before = try FolderState(around: store)
            let report: [String: Any] = try Tool.run("inspect", store.path, "--format", "json").json()
            // Stores of 2009 and 2012 keep no model.
            for entity in report["model"] is NSNull ? [] : report["entities"] as? [[String: Any]] ?? [] {
                guard let name = entity["name"] as? String, let count = entity["countWithSubentities"] as? Int else {
                    continue
                }
                let outcome = try Tool.run("explain", store.path, name, "--format", "json")
                #expect(outcome.code == 0, "\(path) \(name): \(outcome.errors)")
                let rows = (try outcome.json() as [String: Any])["rows"] as? [String: Any]
                #expect(rows?["returned"] as? Int == count, "\(path) \(name)")
                explained += 1
            }
            #expect(try FolderState(around: store) == before, "\(path)")
        }
        #expect(explained > 0)
    }
}
