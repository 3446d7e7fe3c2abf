import CoreDataModelCompiler
import CoreDataModelEditing
import TestBasics
import Testing

@Suite struct ListRenameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ body: String, to name: String) throws {
        let text =
            "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"a\" \"b\">\n<plist version=\"1.0\">\n\(body)\n</plist>\n"
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name + ".plist"))
    }

    private func rename(_ name: String, in entity: String = "Hero", to newName: String = "title") throws -> ListRename {
        try ListRename(of: name, in: entity, to: newName, EditedSource.document(), folder: folder.url)
    }

    /// The strings that a file gets, in their order.
    private func added(_ rename: ListRename, in name: String) -> [String] {
        guard let change = rename.changes.first(where: { $0.url.lastPathComponent == name + ".plist" }) else {
            return []
        }
        let before = String(decoding: change.before, as: UTF8.self)
        let after = String(decoding: change.after, as: UTF8.self)
        return UnifiedDiff(path: "", from: before, to: after).text.split(separator: "\n").dropFirst(2)
            .filter { $0.hasPrefix("+") }.map(String.init)
    }

    private static let application = """
        <dict>
        <key>title</key>
        <string>name</string>
        <!-- <string>name</string> -->
        <key>lists</key>
        <array>
        <dict><key>entity</key><string>Hero</string><key>detail</key><string>HeroForm</string>
        <key>predicate</key>
        <string>name != 'name' AND age &gt; 3</string>
        <key>tabs</key>
        <array><dict>
        <key>title</key><string>name</string>
        <key>titleKeys</key><array>
        <string>name</string>
        <string>powers.name</string>
        </array>
        <key>sort</key><array><dict><key>ascending</key><true/><key>key</key>
        <string>powers.hero.name</string>
        </dict></array></dict></array></dict>
        <dict><key>entity</key><string>Power</string><key>tabs</key><array><dict><key>titleKey</key>
        <string>name</string>
        </dict></array></dict>
        </array>
        </dict>
        """

    @Test("keys, key paths and predicates of an application follow a property, and titles do not (TOOL-23)")
    func keysKeyPathsAndPredicatesOfApplicationFollowProperty() throws {
        try write(Self.application, to: "Application")
        #expect(
            try added(rename("name"), in: "Application") == [
                "+<string>title != 'name' AND age &gt; 3</string>", "+<string>title</string>",
                "+<string>powers.hero.title</string>",
            ])
        #expect(
            try added(rename("name", in: "Power"), in: "Application") == [
                "+<string>powers.title</string>", "+<string>title</string>",
            ])
        #expect(try rename("plain").changes.isEmpty)
    }

    @Test("forms follow with the entity of their objects, also those that rows open (TOOL-23)")
    func formsFollowWithEntityOfTheirObjects() throws {
        try write(Self.application, to: "Application")
        let form = """
            <dict><key>sections</key><array><dict><key>rows</key><array>
            <dict><key>label</key><string>name</string><key>key</key>
            <string>name</string>
            </dict></array></dict>
            <dict><key>dynamic</key><true/><key>displayKey</key>
            <string>name</string>
            <key>rows</key><array><dict><key>key</key><string>powers</string><key>detail</key><string>PowerForm</string></dict></array>
            </dict></array></dict>
            """
        try write(form, to: "HeroForm")
        try write(
            "<dict><key>paired</key><dict><key>rowKeys</key><array><array>\n<string>name</string>\n<string>hero.name</string>\n</array></array></dict></dict>",
            to: "PowerForm")
        let hero = try rename("name")
        #expect(added(hero, in: "HeroForm") == ["+<string>title</string>"])
        #expect(added(hero, in: "PowerForm") == ["+<string>hero.title</string>"])
        let power = try rename("name", in: "Power")
        #expect(added(power, in: "HeroForm") == ["+<string>title</string>"])
        #expect(added(power, in: "PowerForm") == ["+<string>title</string>"])
    }

    @Test(
        "a list that is not in plain XML stays and is reported (TOOL-23)",
        arguments: [
            "", "<dict>", "<dict><key>a</key></dict>", "<string>a", "<dict><string>a</string></dict>",
            "<!ENTITY a \"b\">",
            "<array><array>", String(repeating: "<array>", count: 10_000), "<string><![CDATA[a]]></string>",
        ])
    func hostileLists(body: String) throws {
        try write(body, to: "Application")
        let result = try rename("name")
        #expect(result.changes.isEmpty && result.notes.count == 1)
    }

    @Test func linksThatLeadOutAndMissingFilesAreLeft() throws {
        #expect(throws: ModelingError.self) { try rename("name") }
        let other = try TemporaryFolder()
        try write(Self.application, to: "Application")
        let outside = other.url.appendingPathComponent("x.plist")
        try FileManager.default.moveItem(at: folder.url.appendingPathComponent("Application.plist"), to: outside)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Application.plist"), withDestinationURL: outside)
        let result = try rename("name")
        #expect(result.changes.isEmpty && result.notes.first?.contains("leads out") == true)
    }

    @Test("several files are written together, and all are as they were where one cannot be (TOOL-23)")
    func writingTogether() throws {
        let first = folder.url.appendingPathComponent("a")
        let second = folder.url.appendingPathComponent("b")
        for url in [first, second] { try Data("old".utf8).write(to: url) }
        let changes = [first, second].map { FileChange($0, before: Data("old".utf8), after: Data("new".utf8)) }
        try Data("other".utf8).write(to: second)
        #expect(throws: ModelingError.self) { try FileChange.write(changes) {} }
        #expect(try String(contentsOf: first, encoding: .utf8) == "old")
        #expect(try String(contentsOf: second, encoding: .utf8) == "other")
        try Data("old".utf8).write(to: second)
        #expect(throws: CancellationError.self) { try FileChange.write(changes) { throw CancellationError() } }
        #expect(try String(contentsOf: first, encoding: .utf8) == "old")
        try FileChange.write(changes) {}
        #expect(try String(contentsOf: second, encoding: .utf8) == "new")
    }
}
