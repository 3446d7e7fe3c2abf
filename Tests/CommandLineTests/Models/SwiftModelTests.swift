import CoreData
import TestBasics
import Testing

/// `model convert` from and to classes with `@Model`.
@Suite struct SwiftModelTests {
    private let source = """
        import SwiftData

        @Model
        final class Author {
            @Attribute(.unique) var email: String
            var born: Date?
            @Relationship(deleteRule: .cascade, inverse: \\Book.author) var books: [Book] = []
            init(email: String) { self.email = email }
        }

        @Model
        final class Book {
            #Index<Book>([\\.title])
            var title: String
            var pages = 0
            var place: Place?
            var author: Author?
            struct Place: Codable { var shelf: String; var row: Int }
            init(title: String) { self.title = title }
        }
        """

    private func write(_ text: String, _ name: String, in folder: ModelFolder) throws -> String {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
        return folder.path(name)
    }

    @Test("classes become a model and classes again, with equal version hashes")
    func classesBecomeAModelAndClassesAgain() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let classes = try write(source, "Models.swift", in: folder)
        let out = try Tool.run("model", "convert", classes, folder.path("M.xcdatamodeld"))
        #expect(out.code == 0 && out.errors.isEmpty, "\(out.errors)")
        let model = try NSManagedObjectModel(reading: URL(fileURLWithPath: folder.path("M.xcdatamodeld")))
        #expect(model.entitiesByName["Author"]?.relationshipsByName["books"]?.deleteRule == .cascadeDeleteRule)
        #expect(model.entitiesByName["Author"]?.uniquenessConstraints as? [[String]] == [["email"]])
        #expect(model.entitiesByName["Book"]?.attributesByName["place"] is NSCompositeAttributeDescription)
        #expect(try Tool.run("model", "convert", folder.path("M.xcdatamodeld"), folder.path("Back.swift")).code == 0)
        #expect(try Tool.run("model", "diff", classes, folder.path("Back.swift")).code == 0)
        #expect(try Tool.run("model", "diff", folder.path("M.xcdatamodeld"), classes).output.contains("not needed"))
        #expect(try folder.names() == ["Back.swift", "M.xcdatamodeld", "Models.swift"])
    }

    @Test("what classes cannot say is named with place and remedy, and nothing is written")
    func whatClassesCannotSayIsNamed() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let body = #"""
            <entity name="A">
            <attribute name="n" optional="YES" attributeType="Integer 16" minValueString="1"/>
            <attribute name="total" optional="YES" attributeType="Double" derived="YES" derivationExpression="bs.@count"/>
            <relationship name="bs" optional="YES" toMany="YES" ordered="YES" destinationEntity="B"/></entity>
            <entity name="B"><attribute name="x" optional="YES" attributeType="String"/></entity>
            """#
        let package = try folder.package("M.xcdatamodeld", ("M", body))
        let refused = try Tool.run("model", "convert", package, folder.path("M.swift"))
        #expect(refused.code == 1 && refused.errors.contains("other version hashes in: A"))
        for part in [
            "contents:6:1: 'A.bs' is ordered, which its version hash contains: keep the order in an attribute",
            "contents:5:1: 'A.total' is derived, which its version hash contains: make it a computed property",
            "contents:4:1: 'A.n' has limits for its values: check the values where they are set",
        ] { #expect(refused.errors.contains(part), "\(refused.errors)") }
        #expect(try folder.names() == ["M.xcdatamodeld"])
        #expect(try Tool.run("model", "convert", "--lossy", package, folder.path("M.swift")).code == 0)
        let text = try String(contentsOfFile: folder.path("M.swift"), encoding: .utf8)
        #expect(text.contains("var n: Int16?") && text.contains("var bs: [B]?") && !text.contains("total"))
    }

    @Test func variablesThatCannotBeReadAreNamed() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let classes = try write("@Model final class A { var color: Color; var x = 1 }", "A.swift", in: folder)
        let refused = try Tool.run("model", "convert", classes, folder.path("A.xcdatamodel"))
        #expect(refused.code == 1 && refused.errors.contains("A.swift:1:24: 'A.color' is left out: the type Color"))
        #expect(try Tool.run("model", "convert", "--lossy", classes, folder.path("A.xcdatamodel")).code == 0)
        let none = try write("struct S {}", "S.swift", in: folder)
        let empty = try Tool.run("model", "convert", none, folder.path("S.mom"))
        #expect(empty.code == 1 && empty.errors.contains("no class in it has @Model"))
        #expect(try Tool.run("model", "hash", folder.path("missing.swift")).code == 1)
    }

    @Test("versions of classes become versions of a package")
    func versionsBecomeVersions() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let text = """
            enum One: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                @Model final class A { var x = 1 }
            }
            enum Two: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 2, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                @Model final class A { var x = 1; @Attribute(originalName: "z") var y = 2 }
            }
            """
        let classes = try write(text, "Versions.swift", in: folder)
        #expect(try Tool.run("model", "convert", classes, folder.path("V.xcdatamodeld")).code == 0)
        let package = try SourcePackage(at: folder.url.appendingPathComponent("V.xcdatamodeld"))
        #expect(package.versions == ["One", "Two"])
        #expect(try package.current() == "Two")
        let diff = try Tool.run("model", "diff", "--from", "One", classes)
        #expect(diff.code == 1 && diff.output.contains("A.y"))
    }

    @Test(
        "the model that a store of SwiftData keeps becomes classes with its hashes",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)),
        arguments: [
            "swiftdata-cartkit/Tests/CartKitStorageSwiftDataTests/LegacySwiftData/CartKitSwiftData_v1.sqlite",
            "swiftdata-freezeray/FreezeRayTestApp/FreezeRay/Fixtures/1.0.0/App-1_0_0.sqlite",
            "swiftdata-freezeray/FreezeRayTestApp/FreezeRay/Fixtures/2.0.0/App-2_0_0.sqlite",
        ]) func storesOfSwiftDataBecomeClasses(path: String) throws
    {
        let store = try Fixtures.copyOfStore("stores/" + path)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: store)
        let hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        let folder = try ModelFolder()
        defer { folder.remove() }
        #expect(try Tool.run("model", "convert", store.path, folder.path("M.swift")).code == 0)
        #expect(try Tool.run("model", "convert", folder.path("M.swift"), folder.path("M.mom")).code == 0)
        let model = try NSManagedObjectModel(reading: URL(fileURLWithPath: folder.path("M.mom")))
        #expect(model.entityVersionHashesByName == hashes)
    }
}

/// `model check` on classes with `@Model`.
@Suite struct SwiftModelCheckTests {
    @Test("classes are checked by the rules of models, at their places (TOOL-06)")
    func classesAreCheckedAtTheirPlaces() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let text = """
            import SwiftData
            @Model final class A {
                @Relationship(deleteRule: .noAction) var b: B?
                var name: String
                @Relationship(deleteRule: .cascade, inverse: \\C.all) var all: [C] = []
                init(name: String) { self.name = name }
            }
            """
        let more = """
            import SwiftData
            @Model final class B { var x = 1 }
            @Model final class C {
                @Relationship(deleteRule: .cascade) var all: [A] = []
                @Attribute(.externalStorage) var count = 1
                var color: Color?
            }
            """
        for (name, text) in [("A.swift", text), ("B.swift", more)] {
            try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
        }
        let outcome = try Tool.run("model", "check", folder.url.path)
        #expect(outcome.code == 1)
        for part in [
            "A.swift:3:5: warning: A.b: has no inverse", "A.swift:3:5: warning: A.b:", "[no-action-delete-rule]",
            "[cascade-both-ways]", "B.swift:5:5: warning: C.count: asks for external storage",
            "B.swift:6:5: error: 'C.color' is left out: the type Color",
        ] { #expect(outcome.output.contains(part), "\(outcome.output)") }
        #expect(!outcome.output.contains("required-without-default"))
        let json: [String: Any] = try Tool.run("model", "check", "--format", "json", folder.path("A.swift")).json()
        #expect((json["versions"] as? [[String: Any]])?.isEmpty == false)
    }

    @Test func soundClassesPass() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let text =
            "@Model final class A { var name: String = \"\"; var kind = Kind.a; enum Kind: Int, Codable { case a } }"
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("A.swift"))
        let outcome = try Tool.run("model", "check", "--strict", folder.path("A.swift"))
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("0 errors, 0 warnings, 0 notes in 1 version"))
    }
}
