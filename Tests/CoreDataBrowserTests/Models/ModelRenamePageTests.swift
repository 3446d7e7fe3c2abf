import CoreData
import CoreDataBrowser
import TestBasics
import Testing

@Suite("Renaming over code and property lists on the page")
struct ModelRenamePageTests {
    private static let application = """
        <plist version="1.0"><dict><key>lists</key><array><dict><key>entity</key><string>Hero</string><key>tabs</key>
        <array><dict><key>titleKey</key><string>name</string></dict></array></dict></array></dict></plist>
        """

    /// A tab of a model with generated classes and an application beside it.
    private func scene() async throws -> ModelTab {
        let tab = try ModelTab(code: ["classes"], lists: ["app"])
        try await tab.ask("POST", "classes", "{}")
        let app = tab.folder.url.appendingPathComponent("app")
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        try Data(Self.application.utf8).write(to: app.appendingPathComponent("Application.plist"))
        return tab
    }

    private func text(_ tab: ModelTab, _ path: String) throws -> String {
        try String(contentsOf: tab.folder.url.appendingPathComponent(path), encoding: .utf8)
    }

    private static let rename = "\"item\": \"Hero.name\", \"to\": \"title\""
    private static let code = "classes/Hero+CoreDataProperties.swift"

    @Test("a rename is shown as a difference, and written into model, code and lists when it is confirmed (TOOL-23)")
    func renamesEverywhere() async throws {
        let tab = try await scene()
        let hand = tab.folder.url.appendingPathComponent("classes/Hero+CoreDataClass.swift")
        try Data("// by hand: name\n".utf8).write(to: hand)
        #expect(try await tab.ask("GET")["follows"].list.count == 2)
        let before = try text(tab, Self.code)
        let shown = try await tab.ask("POST", "rename", "{\(Self.rename), \"dryRun\": true}")
        #expect(shown["isWritten"].flag == false && shown["files"].list.count == 3)
        #expect(shown["files"].list.allSatisfy { $0["diff"].text?.contains("+++ ") == true })
        #expect(shown["notes"].list.contains { $0.text == "Hero+CoreDataClass.swift:1 has 'name'" })
        #expect(try text(tab, Self.code) == before && tab.text == ModelTab.heroes)
        let seen = try #require(shown["digest"].text)
        let told = try await tab.ask("POST", "rename", "{\(Self.rename), \"seen\": \"\(seen)\"}")
        #expect(told["unsaved"].flag == false && told["undo"].text?.hasPrefix("rename Hero.name") == true)
        #expect(tab.text.contains("<attribute name=\"title\""))
        #expect(try text(tab, Self.code).contains("var title:") && !text(tab, Self.code).contains("var name:"))
        #expect(try text(tab, "app/Application.plist").contains("<key>titleKey</key><string>title</string>"))
        #expect(try text(tab, "classes/Hero+CoreDataClass.swift") == "// by hand: name\n")
    }

    @Test("an entity is followed in the lists, and uses of its former class are reported (TOOL-23)")
    func entityIsFollowedInLists() async throws {
        let tab = try await scene()
        let rename = "\"item\": \"Hero\", \"to\": \"Champion\""
        let shown = try await tab.ask("POST", "rename", "{\(rename), \"dryRun\": true}")
        #expect(shown["notes"].list.contains { $0.text?.contains("is of class 'Hero'") == true })
        let seen = try #require(shown["digest"].text)
        let told = try await tab.ask("POST", "rename", "{\(rename), \"seen\": \"\(seen)\", \"revision\": 1}")
        #expect(told["removed"][0].text == "Hero" && told["unsaved"].flag == false)
        #expect(try text(tab, "app/Application.plist").contains("<key>entity</key><string>Champion</string>"))
        #expect(try text(tab, "classes/Power+CoreDataProperties.swift").contains("hero: Champion?"))
        #expect(tab.text.contains("<entity name=\"Champion\" representedClassName=\"Champion\""))
    }

    @Test("what has changed since the difference was shown is refused, and no file is written (TOOL-23)")
    func changedMeanwhile() async throws {
        let tab = try await scene()
        let shown = try await tab.ask("POST", "rename", "{\(Self.rename), \"dryRun\": true}")
        let seen = try #require(shown["digest"].text)
        let apply = "{\(Self.rename), \"seen\": \"\(seen)\"}"
        let list = tab.folder.url.appendingPathComponent("app/Application.plist")
        try Data((Self.application + "<!-- more -->").utf8).write(to: list)
        let refused = try await tab.ask("POST", "rename", apply, status: 409)
        #expect(refused["error"]["code"].text == "changedMeanwhile")
        try Data(Self.application.utf8).write(to: list)
        try Data(ModelTab.heroes.replacing("\"40\"", with: "\"50\"").utf8).write(to: tab.contents)
        try await tab.ask("POST", "rename", apply, status: 409)
        #expect(try text(tab, Self.code).contains("var name:"))
        #expect(try text(tab, "app/Application.plist") == Self.application)
        try await tab.ask("POST", "rename", "{\(Self.rename)}", status: 422)
        // With edits that are not saved, files and model would not agree.
        try await tab.edit("add attribute Hero.alias type=String")
        let unsaved = try await tab.ask("POST", "rename", "{\(Self.rename), \"dryRun\": true}", status: 409)
        #expect(unsaved["error"]["code"].text == "unsaved")
    }

    @Test("a link that leads out of a folder stays as it is, and so do all files where one cannot be written (TOOL-23)")
    func linkThatLeadsOutOfFolderStays() async throws {
        let tab = try await scene()
        let outside = tab.folder.url.appendingPathComponent("Outside.swift")
        let code = tab.folder.url.appendingPathComponent(Self.code)
        try FileManager.default.moveItem(at: code, to: outside)
        try FileManager.default.createSymbolicLink(at: code, withDestinationURL: outside)
        let original = try Data(contentsOf: outside)
        let shown = try await tab.ask("POST", "rename", "{\(Self.rename), \"dryRun\": true}")
        #expect(shown["files"].list.count == 2)
        #expect(shown["notes"].list.contains { $0.text?.contains("leads out of the folder") == true })
        let seen = try #require(shown["digest"].text)
        try await tab.ask("POST", "rename", "{\(Self.rename), \"seen\": \"\(seen)\"}")
        #expect(try Data(contentsOf: outside) == original)
        try FileManager.default.removeItem(at: tab.folder.url.appendingPathComponent("app/Application.plist"))
        try await tab.ask("POST", "rename", "{\"item\": \"Hero.title\", \"to\": \"x\", \"dryRun\": true}", status: 500)
    }

    @Test("a rename without folders, of anything but a property, or of a read-only model is refused (TOOL-23)")
    func unsupportedRenamesAreRefused() async throws {
        let alone = try ModelTab()
        #expect(try await alone.ask("GET")["follows"].list.isEmpty)
        let refused = try await alone.ask("POST", "rename", "{\(Self.rename), \"dryRun\": true}", status: 409)
        #expect(refused["error"]["code"].text == "noFolder")
        let tab = try await scene()
        for (item, name, status) in [
            ("requests/strong", "x", 422), ("Hero", "Power", 409), ("Hero.none", "x", 404), ("a/b", "x", 400),
            ("Hero.name", "age", 409),
            ("Hero.name", "1 x", 422),
        ] {
            try await tab.ask(
                "POST", "rename", "{\"item\": \"\(item)\", \"to\": \"\(name)\", \"dryRun\": true}", status: status)
        }
        let reading = try ModelTab(isWriting: false, code: ["classes"])
        try await reading.ask("POST", "rename", "{\(Self.rename), \"dryRun\": true}", status: 409)
        #expect(tab.text == ModelTab.heroes)
    }
}
