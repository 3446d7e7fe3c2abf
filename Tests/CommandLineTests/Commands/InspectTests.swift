import CoreData
import TestBasics
import Testing

@Suite struct InspectTests {
    @Test func tellsCountsHashesAndTheVersionThatMatches() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try Tool.run(["inspect", library.store.path, "--format", "json"] + library.model)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let report: [String: Any] = try outcome.json()
        #expect(report["type"] as? String == "SQLite")
        #expect(report["uuid"] as? String == library.uuid)
        #expect(report["frameworkVersion"] as? Int == 1344)
        let model = try #require(report["model"] as? [String: Any])
        #expect(model["source"] as? String == "given")
        #expect(model["version"] as? String == "Library")
        #expect(model["versionIdentifiers"] as? [String] == ["one"])
        #expect((model["checksum"] as? String)?.count == 44)
        let versions = try #require(model["versions"] as? [[String: Any]])
        #expect(versions.map { $0["matches"] as? Bool } == [true, false])
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Novel"])
        #expect(entities.map { $0["count"] as? Int } == [1, 3, 1])
        #expect(entities.map { $0["countWithSubentities"] as? Int } == [1, 4, 1])
        #expect(entities.map { $0["superentity"] as? String } == [nil, nil, "Book"])
        #expect(entities.allSatisfy { $0["abstract"] as? Bool == false && $0["hashMatches"] as? Bool == true })
        #expect(entities.allSatisfy { ($0["hash"] as? String).flatMap { Data(base64Encoded: $0) }?.count == 32 })
        #expect(report["size"] as? Int ?? 0 > 0)
    }

    @Test func membersComeInTheDocumentedOrder() throws {
        let library = try Library()
        defer { library.remove() }
        let text = try Tool.run(["inspect", library.store.path, "--format", "json"] + library.model).output
        let keys = ["type", "uuid", "frameworkVersion", "model", "entities"]
        let places = keys.compactMap { text.range(of: "\n  \"\($0)\": ")?.lowerBound }
        #expect(places.count == keys.count)
        #expect(places == places.sorted())
    }

    @Test func treeIsIndentedAndTellsTheVersions() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try Tool.run(["inspect", library.store.path] + library.model)
        #expect(outcome.output.contains("\n  Novel "))
        #expect(outcome.output.contains("given, version 'Library'"))
        #expect(outcome.output.contains("'Library 2', differs in Book (changed), Novel (changed)"))
    }

    @Test func modelThatDoesNotMatchIsReportedWithTheEntitiesThatDiffer() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        let second = library.package.appendingPathComponent("Library 2.xcdatamodel").path
        let outcome = try Tool.run("inspect", library.store.path, "--format", "json", "--model", second)
        #expect(outcome.code == 1)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("Book (changed), Novel (changed)"))
        let report: [String: Any] = try outcome.json()
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["hashMatches"] as? Bool } == [true, false, false])
        #expect(entities.allSatisfy { $0["count"] is NSNull })
        expectRefusal(
            try Tool.run("fetch", library.store.path, "Book", "--model", second),
            containing: "Book (changed), Novel (changed)")
        #expect(try FolderState(around: library.store) == before)
    }

    @Test("a store that was made here is inspected and fetched from without its model (STO-12)")
    func storeCarriesItsModel() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try Tool.run("inspect", library.store.path, "--format", "json")
        let report: [String: Any] = try outcome.json()
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["hashMatches"] as? Bool } == [true, true, true])
        #expect(try Tool.run("fetch", library.store.path, "Book").code == 0)
    }

    @Test func storeWithoutAModelSaysSo() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(library.store, "DROP TABLE IF EXISTS Z_MODELCACHE")
        let outcome = try Tool.run("inspect", library.store.path, "--format", "json")
        #expect(outcome.code == 0)
        #expect(
            outcome.errors.contains("the store keeps no model (give the model that it was made with: --model PATH;"))
        expectRefusal(try Tool.run("fetch", library.store.path, "Book"), containing: "--model PATH")
    }

    @Test("a cached model that cannot be read is a failure, reported after what the tables say")
    func corruptCachedModelIsAFailure() throws {
        let library = try Library()
        defer { library.remove() }
        for bytes in ["x'00'", "zeroblob(100)", "substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)"] {
            try Database.change(library.store, "UPDATE Z_MODELCACHE SET Z_CONTENT = \(bytes)")
            let outcome = try Tool.run("inspect", library.store.path, "--format", "json")
            #expect(outcome.code == 1)
            #expect(outcome.errorLines.count == 1)
            #expect(outcome.errors.contains("the model that the store keeps cannot be read"), "\(outcome.errors)")
            #expect(outcome.errors.contains("--model PATH") && !outcome.errors.contains("Open it with"))
            let entities = try #require(try outcome.json(as: [String: Any].self)["entities"] as? [[String: Any]])
            #expect(entities.map { $0["count"] as? Int } == [1, 3, 1])
            expectRefusal(try Tool.run("fetch", library.store.path, "Book"), containing: "cannot be read")
        }
    }

    @Test("a row without an entity is reported and not counted")
    func strayRowsAreReported() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(
            library.store, "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (50, 77, 1), (51, 1, 1)",
            "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT) VALUES (50, 2, 1)")
        let outcome = try Tool.run(["inspect", library.store.path, "--format", "json"] + library.model)
        let report: [String: Any] = try outcome.json()
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["countWithSubentities"] as? Int } == [1, 4, 1])
        let problems = try #require(report["problems"] as? [String])
        #expect(problems.contains { $0.hasPrefix("2 rows of the table ZBOOK ") })
        #expect(problems.contains { $0.hasPrefix("1 row of the table ZAUTHOR ") })
    }

    @Test func historyIsToldAndIndexesAreShownWhenAskedFor() throws {
        let library = try Library()
        defer { library.remove() }
        let plain = try Tool.run(["inspect", library.store.path] + library.model)
        #expect(plain.output.contains("\nhistory    off\n"))
        #expect(!plain.output.contains("INDEX") && !plain.output.contains("TABLE"))
        let whole = try Tool.run(["inspect", library.store.path, "--indexes", "--tables"] + library.model)
        #expect(whole.output.contains("\nZ_Book_byTitle ") && whole.output.contains("\nZBOOK "))
        try Database.change(
            library.store, "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)", "CREATE TABLE ACHANGE (Z_PK INTEGER)"
        )
        let tracked = try Tool.run(["inspect", library.store.path] + library.model)
        #expect(tracked.code == 0 && tracked.output.contains("\nhistory    on\n"), "\(tracked.output)")
        let json = try Tool.run(["inspect", library.store.path, "--format", "json"] + library.model)
        let report: [String: Any] = try json.json()
        #expect(report["history"] as? Bool == true && report["tables"] is NSNull)
        #expect((report["indexes"] as? [Any])?.isEmpty == false)
    }

    @Test("the versions of a given model take three lines, and those that cannot be read are named")
    func versionsOfAModelTakeThreeLines() throws {
        let library = try Library()
        defer { library.remove() }
        for name in ["Broken", "Empty"] {
            let folder = library.package.appendingPathComponent("\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data((name == "Empty" ? "" : "<model><entity").utf8).write(
                to: folder.appendingPathComponent("contents"))
        }
        let outcome = try Tool.run(["inspect", library.store.path] + library.model)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("model ") })
        #expect(lines[start] == "model      given, version 'Library'")
        #expect(
            lines[start + 1]
                == "versions   1 of 2 matches: 'Library'; the nearest other, 'Library 2', differs in Book (changed), Novel (changed)"
        )
        #expect(lines[start + 2].hasPrefix("unreadable 'Broken', 'Empty': "))
        #expect(lines[start + 3].hasPrefix("checksum "))
        let json = try Tool.run(["inspect", library.store.path, "--format", "json"] + library.model)
        let model = try #require(try json.json(as: [String: Any].self)["model"] as? [String: Any])
        let unreadable = try #require(model["unreadable"] as? [[String: String]])
        #expect(unreadable.compactMap { $0["name"] }.sorted() == ["Broken", "Empty"])
        #expect(unreadable.allSatisfy { $0["reason"]?.isEmpty == false })
        // Where the one that matches is not among those that can be read, the refusal says which might be it.
        let first = library.package.appendingPathComponent("Library.xcdatamodel/contents")
        try Data("<model".utf8).write(to: first)
        let refused = try Tool.run(["fetch", library.store.path, "Book"] + library.model)
        expectRefusal(refused, containing: "'Broken'", "'Empty'", "'Library'", "cannot be read")
        let second = library.package.appendingPathComponent("Library 2.xcdatamodel/contents")
        try Data("<model".utf8).write(to: second)
        expectRefusal(
            try Tool.run(["inspect", library.store.path] + library.model),
            containing: "none of its versions can be read", "'Library 2'")
    }

    @Test(
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)),
        arguments: [
            ("stores/coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite", "Car", 115),
            ("stores/coredataplus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite", "Book", 2),
            ("stores/xcservercoredata/Tests/XCServerCoreData_1.2.0.sqlite", "Bot", 2),
            ("stores/ddg-browserserviceskit/Tests/BookmarksTests/Resources/Bookmarks_V4.sqlite", "BookmarkEntity", 10),
        ])
    func storesOfApplesFrameworkOpenByTheirCachedModel(path: String, entity: String, count: Int) throws {
        let store = try Fixtures.copyOfStore(path)
        defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
        let before = try FolderState(around: store)
        let outcome = try Tool.run("inspect", store.path, "--format", "json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let report: [String: Any] = try outcome.json()
        #expect((report["model"] as? [String: Any])?["source"] as? String == "cached")
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.first { $0["name"] as? String == entity }?["count"] as? Int == count)
        #expect(entities.allSatisfy { $0["hashMatches"] as? Bool == true })
        #expect(try FolderState(around: store) == before)
    }
}
