import CoreData
import Testing

/// Stores whose model is not at hand.
@Suite struct RawTests {
    private func library() throws -> Library {
        let library = try Library()
        try Database.change(library.store, "DROP TABLE IF EXISTS Z_MODELCACHE")
        return library
    }

    @Test("a store without a model has counts, tables and indexes (TOOL-16)")
    func inspectionCountsRows() throws {
        let library = try library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        let outcome = try Tool.run("inspect", library.store.path, "--format", "json")
        #expect(outcome.code == 0)
        let report: [String: Any] = try outcome.json()
        #expect(report["model"] is NSNull)
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Novel"])
        #expect(entities.map { $0["count"] as? Int } == [1, 3, 1])
        #expect(entities.map { $0["countWithSubentities"] as? Int } == [1, 4, 1])
        #expect(entities.map { $0["superentity"] as? String } == [nil, nil, "Book"])
        #expect(entities.allSatisfy { $0["hashMatches"] is NSNull && $0["hash"] is String })
        let tables = try #require(report["tables"] as? [[String: Any]])
        #expect(tables.first { $0["name"] as? String == "ZBOOK" }?["rows"] as? Int == 4)
        let indexes = try #require(report["indexes"] as? [[String: Any]])
        #expect(indexes.contains { $0["name"] as? String == "Z_Book_byTitle" })
        let text = try Tool.run("inspect", library.store.path, "--indexes").output
        #expect(
            text.contains("\n  Novel ") && text.contains("\nZBOOK ") && text.contains("\nZ_Book_byTitle "), "\(text)")
        #expect(try FolderState(around: library.store) == before)
    }

    @Test("rows are shown as they are stored, of an entity with those below it, and of any table")
    func rowsAreShownRaw() throws {
        let library = try library()
        defer { library.remove() }
        let fetch = ["fetch", library.store.path]
        let books: [[String: Any]] = try Tool.run(fetch + ["Book", "--raw", "--format", "json"]).json()
        #expect(books.map { $0["ZTITLE"] as? String }.prefix(3) == ["Book 1", "Book 2", "Book 3"])
        #expect(books.count == 4)
        #expect(books[0]["ZCOVER"] as? String == "AQID")
        #expect(books[0]["ZNUMBER"] as? Int64 == .max)
        #expect(books[1]["ZCOVER"] is NSNull)
        let novels: [[String: Any]] = try Tool.run(fetch + ["Novel", "--raw", "--format", "json"]).json()
        #expect(novels.map { $0["ZGENRE"] as? String } == ["Fantasy, \"dark\""])
        let keys = try Tool.run(fetch + ["z_primarykey", "--raw", "--format", "csv"])
        #expect(keys.output.hasPrefix("Z_ENT,Z_NAME,Z_SUPER,Z_MAX\r\n1,Author,0,"), "\(keys.output)")
        let page: [[String: Any]] = try Tool.run(
            fetch + ["ZBOOK", "--raw", "--limit", "1", "--offset", "1", "--format", "json"]
        ).json()
        #expect(page.map { $0["Z_PK"] as? Int } == [2])
        #expect(try Tool.run(fetch + ["Book", "--raw", "--count"]).output == "4\n")
        #expect(try Tool.run(fetch + ["Novel", "--raw", "--count"]).output == "1\n")
        #expect(try Tool.run(fetch + ["ZAUTHOR", "--raw", "--count"]).output == "1\n")
        let table = try Tool.run(fetch + ["Book", "--raw"]).output
        #expect(table.hasPrefix("Z_PK ") && table.contains("(3 bytes)") && !table.contains("\u{1B}"))
    }

    @Test func unknownNamesAreRefusedWithTheNearest() throws {
        let library = try library()
        defer { library.remove() }
        let fetch = ["fetch", library.store.path]
        expectRefusal(try Tool.run(fetch + ["Boook", "--raw"]), containing: "did you mean 'Book'?")
        expectRefusal(try Tool.run(fetch + ["qqqqqqqqqqq", "--raw"]), containing: "'inspect' lists them")
        expectRefusal(try Tool.run(fetch + ["sqlite_master", "--raw"]), containing: "no such entity or table")
        expectRefusal(try Tool.run(fetch + ["Book"]), containing: "--model PATH", "--raw")
        expectRefusal(try Tool.run(["fetch", "/nowhere", "Book", "--raw"]), containing: "/nowhere")
    }

    @Test("virtual tables, computed columns and a damaged list of entities are passed over")
    func foreignTablesAreNotRun() throws {
        let library = try library()
        defer { library.remove() }
        try Database.change(
            library.store, "CREATE TABLE ODD (a INTEGER, b AS (a / 0), \"c \"\"d\" TEXT)",
            "INSERT INTO ODD (a) VALUES (1)",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", "INSERT INTO Z_PRIMARYKEY VALUES (-5, x'00', 'x', NULL)",
            "INSERT INTO Z_PRIMARYKEY VALUES (9000, 'Lost', 8999, 0)", "UPDATE ZBOOK SET Z_ENT = 'x' WHERE Z_PK = 1")
        let odd: [[String: Any]] = try Tool.run("fetch", library.store.path, "ODD", "--raw", "--format", "json").json()
        #expect(odd.count == 1 && odd[0]["a"] as? Int == 1 && odd[0]["c \"d"] is NSNull && odd[0]["b"] == nil)
        let outcome = try Tool.run("inspect", library.store.path, "--format", "json")
        #expect(outcome.code == 0 && !outcome.wasKilled)
        let entities = try #require(try outcome.json(as: [String: Any].self)["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Novel", "Lost"])
        #expect(entities.last?["count"] is NSNull)
    }
}
