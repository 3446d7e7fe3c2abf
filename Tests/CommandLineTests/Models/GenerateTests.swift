import CoreData
import Testing

@Suite struct GenerateTests {
    private let hero =
        #"<entity name="Hero" representedClassName="Hero"><attribute name="name" optional="YES" attributeType="String"/>"#
    private let more =
        #"<relationship name="team" optional="YES" toMany="YES" destinationEntity="Hero" deletionRule="Nullify"/>"#

    private func text(_ folder: ModelFolder, _ name: String) throws -> String {
        try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("a second run changes the properties and leaves the class as its author has it (TOOL-11)")
    func handWrittenPartsAreKept() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", hero + "</entity>"))
        let first = try Tool.run("generate", package, "-o", folder.path("Out"))
        #expect(first.code == 0)
        #expect(
            first.output == "written    Hero+CoreDataClass.swift\nwritten    Hero+CoreDataProperties.swift\n")
        let own = try text(folder, "Out/Hero+CoreDataClass.swift") + "// mine\n"
        try Data(own.utf8).write(to: folder.url.appendingPathComponent("Out/Hero+CoreDataClass.swift"))
        let again = try Tool.run("generate", package, "-o", folder.path("Out"))
        #expect(again.output == "kept       Hero+CoreDataClass.swift\nunchanged  Hero+CoreDataProperties.swift\n")
        try folder.package("M.xcdatamodeld", ("M", hero + more + "</entity>"))
        let third = try Tool.run("generate", package, "-o", folder.path("Out"))
        #expect(third.output == "kept       Hero+CoreDataClass.swift\nwritten    Hero+CoreDataProperties.swift\n")
        #expect(try text(folder, "Out/Hero+CoreDataClass.swift") == own)
        let properties = try text(folder, "Out/Hero+CoreDataProperties.swift")
        #expect(properties.contains("@NSManaged public func addToTeam(_ value: Hero)"))
    }

    @Test("an entity without a class names the generated one afterwards, unless the model is to be kept (TOOL-12)")
    func modelNamesTheClass() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", #"<entity name="Villain"/>"#))
        let source = "M.xcdatamodeld/M.xcdatamodel/contents"
        let before = try text(folder, source)
        let kept = try Tool.run("generate", package, "-o", folder.path("Out"), "--keep-model")
        #expect(kept.code == 0)
        #expect(try text(folder, source) == before)
        let filled = try Tool.run("generate", package, "-o", folder.path("Out"))
        #expect(filled.output.hasSuffix("model      Villain names its class\n"))
        #expect(try text(folder, source).contains(#"<entity name="Villain" representedClassName="Villain"/>"#))
        let again = try Tool.run("generate", package, "-o", folder.path("Out"))
        #expect(!again.output.contains("model"))
    }

    @Test("style and entity choose what is written; classes that the build makes too are reported (TOOL-10)")
    func styleAndEntityChoose() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let built = #"<entity name="Power" representedClassName="Power" codeGenerationType="class"/>"#
        let package = try folder.package("M.xcdatamodeld", ("M", hero + "</entity>" + built))
        let only = try Tool.run(
            "generate", package, "-o", folder.path("Out"), "--style", "extension", "--entity", "Hero")
        #expect(only.output == "written    Hero+CoreDataProperties.swift\n")
        #expect(try folder.files("Out").keys.sorted() == ["Hero+CoreDataProperties.swift"])
        let all = try Tool.run("generate", package, "-o", folder.path("All"))
        #expect(all.errors == "coredata: warning: the build generates the class of 'Power' too\n")
    }

    @Test("a snippet is printed and nothing written; an unknown property is refused with the nearest (TOOL-13)")
    func snippetsArePrinted() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", hero + more + "</entity>"))
        let name = try Tool.run("generate", package, "--entity", "Hero", "--snippet", "name")
        #expect(name.output == "@NSManaged public var name: String?\n")
        let wrong = try Tool.run("generate", package, "--entity", "Hero", "--snippet", "nam")
        #expect(wrong.code == 1 && wrong.errors.contains("did you mean 'name'?"))
        let unknown = try Tool.run("generate", package, "--entity", "Her", "-o", folder.path("Out"))
        #expect(unknown.code == 1 && unknown.errors.contains("did you mean 'Hero'?"))
        #expect(try folder.names() == ["M.xcdatamodeld"])
    }
}
