import CoreDataSourceScanning
import TestBasics
import Testing

@Suite struct BuildCommandTests {
    private let folder: TemporaryFolder
    private let hero =
        #"<entity name="Hero" representedClassName="Hero" codeGenerationType="class"><attribute name="name" attributeType="String"/></entity>"#
    private let power = #"<entity name="Power" representedClassName="Power" codeGenerationType="category"/>"#
    private let announced = [
        "Hero+CoreDataClass.swift", "Hero+CoreDataProperties.swift", "Power+CoreDataProperties.swift",
        "M+CoreDataModel.swift",
    ]

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    private func writeModel(_ name: String, _ body: String) throws {
        let version = folder.url.appendingPathComponent("\(name).xcdatamodeld/\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data("<model>\n\(body)\n</model>".utf8).write(to: version.appendingPathComponent("contents"))
    }

    private func compile(_ files: [String]) -> (code: Int32, lines: [String]) {
        var lines: [String] = []
        let words = [
            "model", path("M.xcdatamodeld"), "--module", "App", "--compiled", path("M.momd"), "--sources", path("S"),
        ]
        let code = BuildCommand.run(words + files.flatMap { ["--file", $0] }) { lines.append($0) }
        return (code, lines)
    }

    /// The files of a folder by name, each with the number that changes when it is written anew.
    private func numbers(_ name: String) throws -> [String: Int] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path(name))
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                let attributes = try FileManager.default.attributesOfItem(atPath: path("\(name)/\($0)"))
                return ($0, try #require(attributes[.systemFileNumber] as? Int))
            })
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("a model becomes a .momd with qualified classes, and the sources that were announced (TOOL-01, TOOL-02)")
    func modelIsCompiled() throws {
        try writeModel("M", hero + power)
        let outcome = compile(announced)
        #expect(outcome.code == 0 && !outcome.lines.contains { $0.contains("error") })
        #expect(try Set(numbers("S").keys) == Set(announced))
        let model = try NSManagedObjectModel(reading: folder.url.appendingPathComponent("M.momd"))
        #expect(model.entitiesByName.mapValues(\.managedObjectClassName) == ["Hero": "App.Hero", "Power": "App.Power"])
    }

    @Test("a module before a class's name is this one where the class is generated, and stays otherwise (TOOL-02)")
    func modulesOfClassesAreKept() throws {
        let classes = [
            ("A", "Other.A", "class"), ("B", "App.B", "category"), ("C", "Outer.C", "category"), ("D", "Other.D", ""),
            ("E", ".E", ""), ("F", "F", ""),
        ]
        try writeModel(
            "M",
            classes.map { name, className, generation in
                let setting = generation.isEmpty ? "" : " codeGenerationType=\"\(generation)\""
                return "<entity name=\"\(name)\" representedClassName=\"\(className)\"\(setting)/>"
            }.joined())
        #expect(compile(["A+CoreDataClass.swift", "Outer.C+CoreDataProperties.swift"]).code == 0)
        let model = try NSManagedObjectModel(reading: folder.url.appendingPathComponent("M.momd"))
        #expect(
            model.entitiesByName.mapValues(\.managedObjectClassName) == [
                "A": "App.A", "B": "App.B", "C": "App.Outer.C", "D": "Other.D", "E": "App.E", "F": "App.F",
            ])
        #expect(try text("S/A+CoreDataClass.swift").contains("public class A: NSManagedObject"))
        #expect(try text("S/Outer.C+CoreDataProperties.swift").contains("extension Outer.C {"))
    }

    @Test("a build writes only what has changed, and removes what the model no longer asks for (TOOL-02)")
    func unchangedFilesAreLeft() throws {
        try writeModel("M", hero + power)
        _ = compile(announced)
        let (sources, compiled) = (try numbers("S"), try numbers("M.momd"))
        _ = compile(announced)
        #expect(try numbers("S") == sources && numbers("M.momd") == compiled)
        try writeModel("M", hero.replacing("\"name\" attributeType", with: "\"title\" attributeType"))
        _ = compile(announced.filter { !$0.hasPrefix("Power") })
        let changed = try numbers("S")
        #expect(changed["Hero+CoreDataProperties.swift"] != sources["Hero+CoreDataProperties.swift"])
        #expect(changed["Hero+CoreDataClass.swift"] == sources["Hero+CoreDataClass.swift"])
        #expect(changed["Power+CoreDataProperties.swift"] == nil)
    }

    @Test("classes that were not announced go into the model's own file, files without a class are comments (TOOL-02)")
    func filesFollowWhatWasAnnounced() throws {
        try writeModel("M", hero)
        #expect(compile(["Gone+CoreDataProperties.swift", "M+CoreDataModel.swift"]).code == 0)
        #expect(try Set(numbers("S").keys) == ["Gone+CoreDataProperties.swift", "M+CoreDataModel.swift"])
        #expect(try text("S/M+CoreDataModel.swift").contains("public class Hero: NSManagedObject"))
        #expect(try text("S/Gone+CoreDataProperties.swift").split(separator: "\n").allSatisfy { $0.hasPrefix("//") })
    }

    @Test("a broken model is reported by file, line, entity and property, and leaves what was built (TOOL-01)")
    func brokenModelsAreReported() throws {
        try writeModel("M", hero)
        _ = compile(announced)
        let before = try numbers("M.momd")
        try writeModel("M", hero.replacing("\"String\"", with: "\"Strong\""))
        let outcome = compile(announced)
        #expect(outcome.code == 1)
        #expect(
            outcome.lines.contains { $0.contains("/contents:2:") && $0.contains(": error: ") && $0.contains("name") })
        #expect(try numbers("M.momd") == before)
        try writeModel("M", hero + hero.replacing("name=\"Hero\"", with: "name=\"Villain\""))
        let twice = compile(announced)
        #expect(twice.code == 1 && twice.lines.contains { $0.contains("'Hero'") && $0.contains("'Villain'") })
    }

    @Test("one file has the tables of all models of a module; a class of two models is refused (TOOL-02)")
    func moduleHasOneTable() throws {
        try writeModel("M", hero)
        try writeModel("N", power)
        var lines: [String] = []
        let words = ["module", path("M.xcdatamodeld"), path("N.xcdatamodeld"), "--sources", path("T")]
        #expect(BuildCommand.run(words) { lines.append($0) } == 0)
        let table = try text("T/CoreDataGeneratedClasses.swift")
        #expect(table.contains("GeneratedClass(Hero.self") && table.contains("GeneratedClass(Power.self"))
        #expect(try text("T/CoreDataAliases.swift").contains("typealias NSExpression = CoreData.NSExpression"))
        try writeModel("N", hero)
        #expect(BuildCommand.run(words) { lines.append($0) } == 1)
        #expect(lines.count == 1 && lines[0].contains("'Hero'") && lines[0].contains("N.xcdatamodeld"))
    }

    @Test(arguments: [[], ["modul"], ["model"], ["model", "A", "--module", "M"], ["module", "A", "--sources"]])
    func meaninglessWordsAreRefused(words: [String]) {
        #expect(BuildCommand.run(words) { _ in } == 2)
    }
}
