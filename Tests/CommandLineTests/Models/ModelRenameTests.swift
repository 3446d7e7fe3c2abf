import CoreData
import Testing

@Suite struct ModelRenameTests {
    private static let body = """
            <entity name="Hero" representedClassName="Hero" syncable="YES">
                <attribute name="name" attributeType="String"/>
                <attribute name="rank" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
            </entity>
        """
    private static let application = """
        <plist version="1.0"><dict><key>lists</key><array><dict><key>entity</key><string>Hero</string><key>tabs</key>
        <array><dict><key>titleKey</key><string>name</string></dict></array></dict></array></dict></plist>
        """

    @Test(
        "a renamed property is renamed in model, generated code and property lists, after a dry run (TOOL-23)",
        arguments: [[], ["--numbers", "object", "--required"]])
    func renamesEverywhere(options: [String]) throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body), ("Old", Self.body))
        let code = folder.path("code")
        #expect(try Tool.run(["generate", package, "-o", code] + options).code == 0)
        try FileManager.default.createDirectory(atPath: folder.path("app"), withIntermediateDirectories: true)
        try Data(Self.application.utf8).write(to: URL(fileURLWithPath: folder.path("app/Application.plist")))
        let hand = URL(fileURLWithPath: code + "/Hero+CoreDataClass.swift")
        let text =
            try String(contentsOf: hand, encoding: .utf8)
            + "// the name\nextension Hero { var shout: String? { name } }\n"
        try Data(text.utf8).write(to: hand)
        func state() throws -> [String: Data] {
            try folder.files("code").merging(folder.files("app")) { $1 }.merging(
                folder.files("M.xcdatamodeld/M.xcdatamodel")
            ) { $1 }
        }
        let before = try state()
        let rename = [
            "model", "rename", package, "Hero.name", "title", "--keep-identity", "--code", code, "--lists",
            folder.path("app"),
        ]

        let shown = try Tool.run(rename + ["--dry-run"])
        #expect(shown.code == 0 && shown.output.components(separatedBy: "+++ ").count == 4, "\(shown.output)")
        #expect(shown.output.contains("note: Hero+CoreDataClass.swift:"))
        #expect(try state() == before)

        #expect(try Tool.run(rename).code == 0)
        let after = try state().mapValues { String(decoding: $0, as: UTF8.self) }
        #expect(
            after["contents"]?.contains(#"<attribute name="title" attributeType="String" elementID="name"/>"#) == true)
        #expect(after["Application.plist"]?.contains("<key>titleKey</key><string>title</string>") == true)
        #expect(after["Hero+CoreDataProperties.swift"]?.contains("public var title: String") == true)
        #expect(after["Hero+CoreDataProperties.swift"]?.contains("var name") == false)
        #expect(after["Hero+CoreDataClass.swift"] == text)
        // What is generated now is what is there, and stores can follow.
        let again = try Tool.run(["generate", package, "-o", code] + options)
        #expect(again.output.contains("unchanged  Hero+CoreDataProperties.swift"))
        let difference: [String: Any] = try Tool.run(
            "model", "diff", package, "--from", "Old", "--to", "M", "--format", "json"
        ).json()
        #expect("\(difference)".contains("rename") || "\(difference)".contains("title"))
    }

    @Test("a renamed entity is renamed in generated code and in the lists, kinds and forms of an application (TOOL-23)")
    func renamedEntityIsRenamedInGeneratedCodeAndInLists() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body))
        let code = folder.path("code")
        #expect(try Tool.run("generate", package, "-o", code).code == 0)
        let list = """
            <plist version="1.0"><dict><key>title</key><string>Hero</string><key>lists</key><array><dict>
            <key>entity</key><string>Hero</string><key>details</key><dict><key>Hero</key><string>Hero</string></dict>
            <key>kinds</key><array><dict><key>entity</key><string>Hero</string><key>label</key><string>Hero</string></dict></array>
            </dict></array></dict></plist>
            """
        try FileManager.default.createDirectory(atPath: folder.path("app"), withIntermediateDirectories: true)
        let application = URL(fileURLWithPath: folder.path("app/Application.plist"))
        try Data(list.utf8).write(to: application)
        let outcome = try Tool.run(
            "model", "rename", package, "Hero", "Champion", "--code", code, "--lists", folder.path("app"))
        #expect(outcome.code == 0, "\(outcome.errors)")
        // Titles, labels and the names of files stay.
        let expected = list.replacing("<key>entity</key><string>Hero<", with: "<key>entity</key><string>Champion<")
            .replacing("<dict><key>Hero</key>", with: "<dict><key>Champion</key>")
        #expect(try String(contentsOf: application, encoding: .utf8) == expected)
        let text = try String(contentsOfFile: code + "/Hero+CoreDataProperties.swift", encoding: .utf8)
        #expect(text.contains("entityName: \"Champion\"") && text.contains("extension Hero"), "\(text)")
        // The source has no class of the build's, so the class keeps its name, and what is generated now is there.
        let again = try Tool.run("generate", package, "-o", code)
        #expect(again.output.contains("unchanged  Hero+CoreDataProperties.swift"), "\(again.output)")
    }

    @Test("files of a class that has another name than its entity are reported, and stay (TOOL-23)")
    func renamedClass() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let body = Self.body.replacing(" syncable", with: " codeGenerationType=\"class\" syncable")
        let package = try folder.package("M.xcdatamodeld", ("M", body))
        let code = folder.path("code")
        #expect(try Tool.run("generate", package, "-o", code).code == 0)
        let before = try folder.files("code")
        try #require(before["Hero+CoreDataProperties.swift"] != nil)
        let outcome = try Tool.run("model", "rename", package, "Hero", "Champion", "--code", code)
        #expect(outcome.code == 0)
        #expect(
            outcome.output.contains("is of class 'Hero', which the model does not have any more"), "\(outcome.output)")
        #expect(try folder.files("code") == before)
    }

    @Test("edited sources are reported and stay, and a failure leaves every file (TOOL-23)")
    func whatCannotFollow() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body))
        let code = folder.path("code")
        #expect(try Tool.run("generate", package, "-o", code).code == 0)
        let properties = URL(fileURLWithPath: code + "/Hero+CoreDataProperties.swift")
        let own = try Data(contentsOf: properties) + Data("// mine\n".utf8)
        try own.write(to: properties)
        let outcome = try Tool.run("model", "rename", package, "Hero.name", "title", "--code", code)
        #expect(outcome.code == 0 && outcome.output.contains("generate it again"))
        #expect(try Data(contentsOf: properties) == own)
        let before = try folder.files("M.xcdatamodeld/M.xcdatamodel")
        expectRefusal(
            try Tool.run("model", "rename", package, "Hero.title", "x", "--lists", folder.path("none")),
            containing: "none")
        #expect(try folder.files("M.xcdatamodeld/M.xcdatamodel") == before)
    }

    @Test("a folder of code that is not there is refused, and the model stays as it is (TOOL-23)")
    func missingFolderIsRefused() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body))
        let before = try folder.files("M.xcdatamodeld/M.xcdatamodel")
        let file = folder.path("M.xcdatamodeld/M.xcdatamodel/contents")
        for place in [folder.path("none"), file] {
            let outcome = try Tool.run("model", "rename", package, "Hero.name", "title", "--code", place)
            #expect(outcome.code == 2, "\(outcome.errors)")
            #expect(outcome.errors.contains("--code: there is no folder '\(place)' (the model was not changed)"))
        }
        #expect(try folder.files("M.xcdatamodeld/M.xcdatamodel") == before)
    }

    @Test("lines of sources in folders below have the old name listed, hidden folders left out (TOOL-23)")
    func linesInFoldersBelowAreListed() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body))
        for (place, text) in [("Terminal/Program.swift", "\nprint(hero.name)\n"), (".build/Made.swift", "hero.name\n")]
        {
            let url = URL(fileURLWithPath: folder.path("code/\(place)"))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let outcome = try Tool.run("model", "rename", package, "Hero.name", "title", "--code", folder.path("code"))
        #expect(
            outcome.code == 0 && outcome.output.contains("Terminal/Program.swift:2 has 'name'"), "\(outcome.output)")
        #expect(!outcome.output.contains("Made.swift"))
    }
}
