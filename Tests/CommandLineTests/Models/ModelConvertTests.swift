import CoreData
import TestBasics
import Testing

@Suite struct ModelConvertTests {
    @Test(
        "a model goes through every form and has its version hashes in each (TOOL-01)",
        arguments: ["xcdatamodeld", "xcdatamodel", "momd", "mom"], ["xcdatamodeld", "xcdatamodel", "momd", "mom"])
    func hashesSurvive(first: String, second: String) throws {
        let library = try Library()
        defer { library.remove() }
        let folder = try ModelFolder()
        defer { folder.remove() }
        let (one, two) = (folder.path("one.\(first)"), folder.path("two.\(second)"))
        #expect(try Tool.run("model", "convert", library.package.path, one).code == 0)
        #expect(try Tool.run("model", "convert", one, two).code == 0)
        let original = try NSManagedObjectModel(reading: library.package)
        for path in [one, two] {
            let model = try NSManagedObjectModel(reading: URL(fileURLWithPath: path))
            #expect(model.entityVersionHashesByName == original.entityVersionHashesByName)
            #expect(model.versionIdentifiers == original.versionIdentifiers)
        }
        #expect(try folder.names() == ["one.\(first)", "two.\(second)"].sorted())
    }

    @Test func packagesKeepAllVersionsAndTheCurrentOne() throws {
        let library = try Library()
        defer { library.remove() }
        let folder = try ModelFolder()
        defer { folder.remove() }
        #expect(try Tool.run("model", "convert", library.package.path, folder.path("a.momd")).code == 0)
        #expect(try Tool.run("model", "convert", folder.path("a.momd"), folder.path("b.xcdatamodeld")).code == 0)
        let package = try SourcePackage(at: folder.url.appendingPathComponent("b.xcdatamodeld"))
        #expect(package.versions == ["Library", "Library 2"])
        #expect(try package.current() == "Library 2")
    }

    @Test("a source that is converted to a source keeps its spelling, byte for byte (TOOL-06)")
    func sourcesKeepTheirSpelling() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", "<!-- mine -->\n  <entity   name='A' future=\"1\" />"))
        let outcome = try Tool.run("model", "convert", package, folder.path("out.xcdatamodel"))
        #expect(outcome.errors == "")
        #expect(
            try folder.files("out.xcdatamodel")["contents"] == folder.files("M.xcdatamodeld/M.xcdatamodel")["contents"])
    }

    @Test func whatAFormCannotSayIsTold() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let body = #"""
            <entity name="A" codeGenerationType="category" syncable="NO">
            <attribute name="n" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/></entity>
            """#
        let package = try folder.package("M.xcdatamodeld", ("M", body), ("Old", body))
        let outcome = try Tool.run("model", "convert", package, folder.path("m.mom"))
        #expect(outcome.code == 0)
        let losses = outcome.errorLines.map { $0.replacing("coredata: lost: ", with: "") }
        #expect(
            losses == [
                "the other versions: 'Old'", "the source's header and comments, and the layout of the editor",
                "class generation of 'A'", "syncable of 'A'", "scalar of 'A.n'",
            ])
    }

    @Test("the model that a store keeps becomes a source (TOOL-01)")
    func storesGiveTheirModel() throws {
        let library = try Library()
        defer { library.remove() }
        let folder = try ModelFolder()
        defer { folder.remove() }
        let outcome = try Tool.run("model", "convert", library.store.path, folder.path("Kept.xcdatamodeld"))
        #expect(outcome.code == 0)
        let model = try NSManagedObjectModel(reading: folder.url.appendingPathComponent("Kept.xcdatamodeld"))
        #expect(model.entities.compactMap(\.name).sorted() == ["Author", "Book", "Novel"])
        let report = try Tool.run("model", "convert", library.store.path, folder.path("Kept.json"))
        #expect(report.errors.contains("lost: the form itself"))
        let json = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.url.appendingPathComponent("Kept.json")))
        #expect(((json as? [String: Any])?["entities"] as? [Any])?.count == 3)
    }

    @Test("what is there is never replaced, and a refusal leaves nothing behind (HAZ-47)")
    func refusalsLeaveNothing() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", #"<entity name="A"/>"#), ("Bad", "<entity/>"))
        try Data("precious".utf8).write(to: folder.url.appendingPathComponent("x.mom"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("dangling.mom"), withDestinationPath: folder.path("nowhere"))
        let before = try folder.names()
        expectRefusal(try Tool.run("model", "convert", package, folder.path("x.mom")), containing: "already")
        expectRefusal(try Tool.run("model", "convert", package, folder.path("dangling.mom")), containing: "already")
        expectRefusal(
            try Tool.run("model", "convert", package, folder.path("m.momd")), containing: "'Bad'", "--version")
        expectRefusal(try Tool.run("model", "convert", package, folder.path("m.txt")), containing: "no form of models")
        expectRefusal(try Tool.run("model", "convert", package, folder.path("no/m.mom")), containing: "no/m.mom")
        expectRefusal(
            try Tool.run("model", "convert", package, folder.path("m.mom"), "--version", "Gone"), containing: "'Gone'")
        expectRefusal(try Tool.run("model", "convert", folder.path("x.mom"), folder.path("m.mom")), containing: "x.mom")
        #expect(try folder.names() == before)
        #expect(try Tool.run("model", "convert", package, folder.path("m.mom"), "--version", "M").code == 0)
    }

    @Test(
        "fixtures of all forms are converted with equal hashes (TOOL-01)", .enabled(if: Fixtures.areAvailable),
        arguments: [
            "stores/xcservercoredata/Tests/XCServerCoreData.momd", "models/zeeql-contacts/data/Contacts.mom",
            "models/swiftgen-fixture/Sources/TestUtils/Fixtures/Resources/CoreData/Model.xcdatamodeld",
            "stores/apple-coredatabooks/CoreDataBooks/CoreDataBooks.xcdatamodeld",
        ])
    func fixturesAreConverted(path: String) throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let original = try NSManagedObjectModel(reading: Fixtures.url(path))
        for name in ["a.xcdatamodeld", "a.momd"] {
            #expect(try Tool.run("model", "convert", Fixtures.url(path).path, folder.path(name)).code == 0)
            let model = try NSManagedObjectModel(reading: folder.url.appendingPathComponent(name))
            #expect(model.entityVersionHashesByName == original.entityVersionHashesByName)
        }
    }
}
