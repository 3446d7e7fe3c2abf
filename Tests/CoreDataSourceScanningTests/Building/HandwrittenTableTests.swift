import CoreDataSourceScanning
import CoreDataTestSupport
import Testing

/// What tables tell of hand-written classes, without asking a compiler.
@Suite struct HandwrittenTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    /// The tables for a source, and for a model if there is one.
    private func table(_ source: String, model: String? = nil) throws -> (text: String, lines: [String]) {
        try Data(("import CoreData\n" + source).utf8).write(to: folder.url.appendingPathComponent("A.swift"))
        try Data("source\t\(path("A.swift"))\n".utf8).write(to: folder.url.appendingPathComponent("list"))
        var words = ["module"]
        if let model {
            let version = folder.url.appendingPathComponent("M.xcdatamodeld/M.xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data("<model>\(model)</model>".utf8).write(to: version.appendingPathComponent("contents"))
            words.append(path("M.xcdatamodeld"))
        }
        words += [
            "--sources", path("out"), "--name", "App", "--list", path("list"), "--compiler", "/nowhere", "--work",
            path("work"),
        ]
        var lines: [String] = []
        _ = BuildCommand.run(words) { lines.append($0) }
        let text = try? String(contentsOfFile: path("out/CoreDataGeneratedClasses.swift"), encoding: .utf8)
        return (text ?? "", lines)
    }

    @Test("KVC-05: computed keys, validators and dependencies are told, and what nobody can reach is not")
    func members() throws {
        let made = try table(
            """
            class Hero: NSManagedObject {
                var title: String { "" }
                var log: [String] = [], `class`: Int
                let constant = 1
                private var own: Int { 1 }
                static var shared: Int { 1 }
                override var description: String { "" }
                @MainActor var shown: Int { 1 }
                @available(*, deprecated) var old: Int { 1 }
                var later: Int { get async { 1 } }
                func validateAge(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
                func validateOther(_ value: Int) throws {}
                func validate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
                static let keyPathsForValuesAffectingTitle: Set<String> = ["log"]
            }
            private class Hidden: NSManagedObject { var a: Int { 1 } }
            class Other: NSObject { var a: Int { 1 } }
            """
        ).text
        let entries = made.split(separator: "\n").filter { $0.contains("                .") }
        #expect(
            entries.map { $0.drop { $0 == " " } } == [
                #".computed("title", \Hero.title),"#, #".computed("log", \Hero.log),"#,
                #".computed("class", \Hero.`class`),"#, #".computed("constant", \Hero.constant),"#,
                #".known("age").validated(by: { (object: Hero) in { try object.validateAge($0) } }),"#,
                #".known("title").affected(by: Hero.keyPathsForValuesAffectingTitle),"#,
            ])
        #expect(!made.contains("Hidden.self") && !made.contains("Other.self"))
    }

    @Test("KVC-05: an accessor that asks for its own key, or for one that is not plain, is no way to that key")
    func recursion() throws {
        let made = try table(
            """
            class Hero: NSManagedObject {
                var a: Any? { value(forKey: "a") }
                var b: Any? { get { nil } set { self.setValue(newValue, forKey: "b") } }
                var c: Any? { value(forKey: #function) }
                var d: Any? { value(forKey: "a") }
                var e: Any? { primitiveValue(forKey: "e") }
                var f: Any? { other.value(forKey: "f") }
            }
            """
        ).text
        #expect("abcdef".filter { made.contains("\\Hero.\($0)") } == "def")
    }

    @Test("KVC-05: classes are found by their superclasses, however deep, nested and written") func families() throws {
        let made = try table(
            """
            class A: CoreData.NSManagedObject {}
            enum Outer {
                class B: A { class C: B {} }
                class D: App.A {}
            }
            extension Outer { class E: B {} }
            class F: Unknown {}
            class G: G {}
            class T: A { override class var propertyTable: PropertyTable { .empty } }
            class U: T { var u: Int { 1 } }
            """
        ).text
        let names = ["A", "Outer.B", "Outer.B.C", "Outer.D", "Outer.E", "F", "G", "T", "U"]
        #expect(
            names.filter { made.contains("GeneratedClass(\($0).self") } == [
                "A", "Outer.B", "Outer.B.C", "Outer.D", "Outer.E", "U",
            ])
        #expect(made.contains("extending: .of(Outer.B.self)") && made.contains("extending: .of(T.self)"))
    }

    private let hero =
        #"<entity name="Hero" representedClassName="Hero" codeGenerationType="KIND"><attribute name="name" attributeType="String"/></entity>"#

    @Test("TOOL-02: a class's generated properties and its hand-written ones are in one table") func withModel() throws
    {
        for (kind, source) in [
            ("class", "extension Hero { var title: String { \"\" } }"),
            ("category", "class Hero: NSManagedObject { var title: String { \"\" } }"),
        ] {
            let made = try table(source, model: hero.replacing("KIND", with: kind)).text
            #expect(
                made.contains(#".stored("name", \Hero.name)"#) && made.contains(#".computed("title", \Hero.title)"#))
            #expect(made.split(separator: "GeneratedClass(").count == 2)
        }
    }

    @Test("TOOL-02: an @NSManaged property of a class that is generated as a whole is refused with what to do")
    func managedInGenerated() throws {
        let made = try table(
            "extension Hero {\n  @NSManaged var extra: String?\n}", model: hero.replacing("KIND", with: "class"))
        #expect(made.lines.count == 1)
        #expect(made.lines[0].contains("A.swift:3:") && made.lines[0].contains("'Category/Extension'"))
    }

    @Test("TOOL-02: conditions beyond five on which managed classes depend are refused") func conditions() throws {
        let members = "ABCDEF".map { "#if \($0)\nvar v\($0): Int { 1 }\n#endif\n" }
        let five = try table("class Hero: NSManagedObject {\n" + members.dropLast().joined() + "}")
        #expect(five.lines.isEmpty && five.text.contains("#elseif A && B && C && D && E"))
        let six = try table("class Hero: NSManagedObject {\n" + members.joined() + "}")
        #expect(six.lines.count == 1 && six.lines[0].contains("A.swift:2:"))
    }
}
