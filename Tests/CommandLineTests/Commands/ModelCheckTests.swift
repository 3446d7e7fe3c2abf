import CoreData
import Testing

/// A versioned source of which the second version breaks rules.
private struct CheckedModel {
    let folder: URL
    let package: URL

    init() throws {
        folder = try Scratch.folder()
        package = folder.appendingPathComponent("Hero.xcdatamodeld")
        try write(
            "Hero", #"<entity name="Hero"><attribute name="name" optional="YES" attributeType="String"/></entity>"#)
        try write(
            "Hero 2",
            """
            <entity name="Hero">
            <attribute name="Name" optional="YES" attributeType="String"/>
            <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Her"/>
            </entity>
            """)
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Hero 2.xcdatamodel</string></dict></plist>
            """.utf8
        ).write(to: package.appendingPathComponent(".xccurrentversion"))
    }

    private func write(_ version: String, _ body: String) throws {
        let folder = package.appendingPathComponent("\(version).xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\n\(body)\n</model>\n"
        try Data(text.utf8).write(to: folder.appendingPathComponent("contents"))
    }

    /// The file of the version that breaks rules.
    var file: String { package.appendingPathComponent("Hero 2.xcdatamodel/contents").path }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

@Suite struct ModelCheckTests {
    @Test("findings have place, severity, subject and rule, and errors fail (TOOL-14, MOD-08, MOD-28)")
    func errorsFail() throws {
        let model = try CheckedModel()
        defer { model.remove() }
        let outcome = try Tool.run("model", "check", model.package.path)
        #expect(outcome.code == 1)
        #expect(
            outcome.output == """
                \(model.file):4:1: warning: Hero.Name: begins with a capital letter [property-name-case]
                \(model.file):5:1: error: Hero.boss: leads to the unknown entity 'Her' (did you mean 'Hero'?) [unknown-destination]
                \(model.file):5:1: warning: Hero.boss: has no inverse [missing-inverse]
                1 error, 2 warnings, 0 notes in 2 versions

                """)
        #expect(outcome.errorLines == ["coredata: model check: 1 error, 2 warnings, 0 notes in 2 versions"])
    }

    @Test("a version without errors passes, and fails with --strict for warnings alone (TOOL-14)")
    func strictFailsForWarnings() throws {
        let model = try CheckedModel()
        defer { model.remove() }
        let clean = try Tool.run("model", "check", model.package.path, "--version", "Hero", "--strict")
        #expect(clean.code == 0)
        #expect(clean.output == "0 errors, 0 warnings, 0 notes in 1 version\n")
        let arguments = [
            "model", "check", model.package.path, "--version", "Hero 2", "--disable", "unknown-destination",
        ]
        #expect(try Tool.run(arguments).code == 0)
        #expect(try Tool.run(arguments + ["--strict"]).code == 1)
    }

    @Test("findings are JSON for programs and annotations for GitHub (TOOL-14)")
    func otherFormats() throws {
        let model = try CheckedModel()
        defer { model.remove() }
        let json = try Tool.run("model", "check", model.package.path, "--format", "json")
        let report: [String: Any] = try json.json()
        let versions = try #require(report["versions"] as? [[String: Any]])
        let findings = try #require(versions.last?["findings"] as? [[String: Any]])
        #expect(versions.compactMap { $0["name"] as? String } == ["Hero", "Hero 2"])
        #expect(
            findings.compactMap { $0["rule"] as? String } == [
                "property-name-case", "unknown-destination", "missing-inverse",
            ])
        #expect(findings.compactMap { $0["line"] as? Int } == [4, 5, 5])
        #expect((report["summary"] as? [String: Int])?["errors"] == 1)
        let github = try Tool.run("model", "check", model.package.path, "--format", "github")
        #expect(
            github.output.hasPrefix(
                "::warning file=\(model.file),line=4,col=1,title=property-name-case::Hero.Name: begins with a capital"))
        #expect(github.code == 1)
    }

    @Test("classes and transformers are checked where --classes and --transformers name them (MOD-11, MOD-23)")
    func namedClassesAreChecked() throws {
        let library = try Library()
        defer { library.remove() }
        let silent = try Tool.run("model", "check", library.package.path)
        #expect(!silent.output.contains("unknown-class"))
        let told = try Tool.run("model", "check", library.package.path, "--classes", "Author,Bok,Novel")
        #expect(told.output.contains("names the unknown class 'Book' (did you mean 'Bok'?) [unknown-class]"))
    }

    @Test("the model that a store keeps is checked, and the store is left alone (TOOL-14)")
    func storeIsChecked() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        let outcome = try Tool.run("model", "check", library.store.path)
        #expect(outcome.code == 0)
        #expect(!outcome.output.contains("required-without-default"))
        let asked = try Tool.run("model", "check", library.store.path, "--enable", "required-without-default")
        #expect(asked.output.contains("Author.name: is required and has no default [required-without-default]"))
        let both = "required-without-default"
        let neither = try Tool.run("model", "check", library.store.path, "--enable", both, "--disable", both)
        #expect(!neither.output.contains("[required-without-default]"))
        #expect(try Tool.run("model", "check", library.store.path, "--enable", "x").code == 2)
        #expect(try FolderState(around: library.store) == before)
    }

    @Test("all rules are listed (TOOL-14)")
    func rulesAreListed() throws {
        let outcome = try Tool.run("model", "check", "--list-rules")
        #expect(outcome.code == 0)
        for (_, rule) in ModelRuleCatalog.all {
            #expect(outcome.output.contains("\(rule.identifier)  \(rule.severity.rawValue)\n    \(rule.statement)\n"))
        }
        let json = try Tool.run("model", "check", "--list-rules", "--format", "json")
        #expect(try json.json(as: [[String: String]].self).count == ModelRuleCatalog.all.count)
    }

    @Test func wrongWordsAreTold() throws {
        let model = try CheckedModel()
        defer { model.remove() }
        let rule = try Tool.run("model", "check", model.package.path, "--disable", "missing-invers")
        #expect(rule.code == 2)
        #expect(rule.errors.contains("there is no rule 'missing-invers' (did you mean 'missing-inverse'?)"))
        #expect(try Tool.run("model", "check").code == 2)
        let version = try Tool.run("model", "check", model.package.path, "--version", "Zero")
        expectRefusal(version, containing: "did you mean 'Hero'?")
        expectRefusal(try Tool.run("model", "check", "/nowhere/X.momd"), containing: "there is no such file")
    }

    @Test("a source that cannot be read is a finding with its place (HAZ-47)")
    func unreadableSourceIsAFinding() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("contents")
        try Data("<model>\n<entity name=\"\u{1B}[31m\u{202E}\">\n".utf8).write(to: file)
        let outcome = try Tool.run("model", "check", file.path)
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("\(file.path):2:"))
        #expect(outcome.output.contains("[unreadable-model]"))
        #expect(!outcome.output.contains("\u{1B}"))
    }
}
