import Foundation
import TestBasics
import Testing

@Suite struct StringsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to name: String) throws -> String {
        let file = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
    }

    @Test("strings prints the texts of sources as a table with comments (L10N-03)")
    func printed() throws {
        let source = try write(
            "let a = NSLocalizedString(\"Save\", comment: \"A button\")\nlet b = String(localized: \"Hello\")\n",
            to: "A.swift")
        let outcome = try Tool.run("strings", source)
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                /* No comment provided by engineer. */
                "Hello" = "Hello";

                /* A button */
                "Save" = "Save";

                """)
    }

    @Test("strings completes the tables of a folder, and keeps translations (L10N-03)")
    func merged() throws {
        _ = try write(
            "let a = NSLocalizedString(\"Save\", comment: \"\")\nlet b = Text(\"New\")\n", to: "Sources/A.swift")
        _ = try write("\"Save\" = \"Sichern\";\n\"Old\" = \"Alt\";\n", to: "de.lproj/Localizable.strings")
        let list = try write(
            "<plist><dict><key>title</key><string>Heroes</string></dict></plist>", to: "Application.plist")
        let lproj = folder.url.appendingPathComponent("de.lproj").path
        let sources = folder.url.appendingPathComponent("Sources").path
        let outcome = try Tool.run("strings", sources, list, "-o", lproj)
        #expect(outcome.code == 0 && outcome.output == "\(lproj)/Localizable.strings: 4 texts, 2 added, 1 stale\n")
        let table = try text("de.lproj/Localizable.strings")
        #expect(
            table.contains("\"Save\" = \"Sichern\";")
                && table.contains("Stale: no source has this key. */\n\"Old\" = \"Alt\";"))
        #expect(table.contains("\"New\" = \"New\";") && table.contains("\"Heroes\" = \"Heroes\";"))
        let again = try Tool.run("strings", sources, list, "-o", lproj)
        #expect(again.output.hasSuffix("4 texts, 0 added, 1 stale\n"))
        #expect(try text("de.lproj/Localizable.strings") == table)
    }

    @Test("strings refuses a table, a list and a path that it cannot read, and writes nothing (L10N-03)")
    func refused() throws {
        let source = try write("let a = NSLocalizedString(\"Save\", comment: \"\")\n", to: "A.swift")
        let broken = "\"Save\" = "
        _ = try write(broken, to: "de.lproj/Localizable.strings")
        let lproj = folder.url.appendingPathComponent("de.lproj").path
        let table = try Tool.run("strings", source, "-o", lproj)
        #expect(table.code == 1 && table.errors.contains("line 1:10"))
        #expect(try text("de.lproj/Localizable.strings") == broken)
        let list = try write("<plist><dict>", to: "Broken.plist")
        #expect(try Tool.run("strings", list).code == 1)
        #expect(try Tool.run("strings", folder.url.appendingPathComponent("none").path).code == 1)
        #expect(try Tool.run("strings").code == 2)
    }

    @Test("strings has the names of a model in a table of its own (L10N-03, L10N-04)")
    func model() throws {
        let contents = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Item" isAbstract="YES"><attribute name="created" optional="YES" attributeType="Date"/></entity>
                <entity name="Note" parentEntity="Item"><attribute name="title" optional="YES" attributeType="String"/></entity>
            </model>
            """
        _ = try write(contents, to: "Notes.xcdatamodel/contents")
        let outcome = try Tool.run(
            "strings", folder.url.appendingPathComponent("Notes.xcdatamodel").path, "-o", folder.url.path)
        #expect(outcome.code == 0 && outcome.output.hasSuffix("NotesModel.strings: 4 texts, 4 added, 0 stale\n"))
        let table = try text("NotesModel.strings")
        for key in ["Entity/Item", "Entity/Note", "Property/created/Entity/Item", "Property/title/Entity/Note"] {
            #expect(table.contains("\"\(key)\" = "))
        }
    }
}
