import CoreDataSourceScanning
import TestBasics
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

    @Test("computed keys, validators and dependencies are listed, and unreachable ones are not (KVC-05)")
    func computedKeysValidatorsAndDependenciesAreListed() throws {
        let made = try table(
            """
            class Hero: NSManagedObject {
                @objc var title: String { "" }
                #if canImport(ObjectiveC)
                @objc
                #endif
                dynamic var log: [String] = [], `class`: Int
                @objc(other) let constant = 1
                @objc private var own: Int { 1 }
                @objc static var shared: Int { 1 }
                @objc override var description: String { "" }
                @objc @MainActor var shown: Int { 1 }
                @objc @available(*, deprecated) var old: Int { 1 }
                @objc var later: Int { get async { 1 } }
                @objc func validateAge(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
                @objc func validateOther(_ value: Int) throws {}
                @objc func validate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
                @objc static let keyPathsForValuesAffectingTitle: Set<String> = ["log"]
            }
            private class Hidden: NSManagedObject { @objc var a: Int { 1 } }
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

    @Test("a member that nothing marks for Objective-C is not found by its name, whatever else is marked (KVC-05)")
    func memberThatNothingMarksForObjectiveCIsNotFoundByItsName() throws {
        let made = try table(
            """
            class Hero: NSManagedObject {
                var level: Int16 = 0
                var title: String { "" }
                @Tracked var rank: Int
                func validateAge(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
                static var keyPathsForValuesAffectingTitle: Set<String> { [] }
            }
            #if canImport(ObjectiveC)
            @objcMembers
            #endif
            class Shown: NSManagedObject {
                var a: Int { 1 }
                @nonobjc var b: Int { 1 }
            }
            class Below: Shown { var c: Int { 1 } }
            extension Below { var d: Int { 1 } }
            @objc extension Hero { var e: Int { 1 } }
            """
        ).text
        for key in ["level", "title", "rank", "age", "b"] { #expect(!made.contains("\"\(key)\""), "\(key)") }
        for key in "acde" { #expect(made.contains(".computed(\"\(key)\","), "\(key)") }
    }

    @Test("properties of other objects that sources mark are found by name, those of subclasses too (KVC-05)")
    func plainObjects() throws {
        let made = try table(
            """
            class Person: NSObject { @objc var name = "", own: Int { 1 } }
            final class Worker: Person { @objc let pay = 1.5 }
            class Unmarked: NSObject { var a: Int { 1 } }
            class Answering: NSObject { @objc var a: Int { 1 } }
            extension Answering: KeyValueCoding { func codedValue(forKey key: String) -> Any? { nil } }
            @MainActor class Shown: NSObject { @objc var a: Int { 1 } }
            private class Hidden: NSObject { @objc var a: Int { 1 } }
            class Plain { @objc var a: Int { 1 } }
            """
        ).text
        #expect(made.split(separator: ": MutableKeyValueCoding {").count == 2)
        #expect(made.contains("extension Person: MutableKeyValueCoding {"))
        #expect(made.contains("if let object = self as? Worker {"))
        #expect(made.contains(#"case "pay": return object.pay as Any?"#))
        #expect(made.contains(#"try object.setCodedValue(value, forKey: key, at: \Person.name)"#))
    }

    @Test("an accessor that asks for its own key, or for one that is not plain, is not listed for that key (KVC-05)")
    func accessorThatAsksForItsOwnKey() throws {
        let made = try table(
            """
            class Hero: NSManagedObject {
                @objc var a: Any? { value(forKey: "a") }
                @objc var b: Any? { get { nil } set { self.setValue(newValue, forKey: "b") } }
                @objc var c: Any? { value(forKey: #function) }
                @objc var d: Any? { value(forKey: "a") }
                @objc var e: Any? { primitiveValue(forKey: "e") }
                @objc var f: Any? { other.value(forKey: "f") }
            }
            """
        ).text
        #expect("abcdef".filter { made.contains("\\Hero.\($0)") } == "def")
    }

    @Test("classes are found by their superclasses, however deep, nested and written (KVC-05)")
    func classesAreFoundByTheirSuperclasses() throws {
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
            class U: T { @objc var u: Int { 1 } }
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

    @Test("a class's generated properties and its hand-written ones are in one table (TOOL-02)") func withModel() throws
    {
        for (kind, source) in [
            ("class", "extension Hero { @objc var title: String { \"\" } }"),
            ("category", "class Hero: NSManagedObject { @objc var title: String { \"\" } }"),
        ] {
            let made = try table(source, model: hero.replacing("KIND", with: kind)).text
            #expect(
                made.contains(#".stored("name", \Hero.name)"#) && made.contains(#".computed("title", \Hero.title)"#))
            #expect(made.split(separator: "GeneratedClass(").count == 2)
        }
    }

    @Test("an @NSManaged property of a class that is generated as a whole is refused with what to do (TOOL-02)")
    func managedInGenerated() throws {
        let made = try table(
            "extension Hero {\n  @NSManaged var extra: String?\n}", model: hero.replacing("KIND", with: "class"))
        #expect(made.lines.count == 1)
        #expect(made.lines[0].contains("A.swift:3:") && made.lines[0].contains("'Category/Extension'"))
    }

    @Test("conditions beyond five on which managed classes depend are refused (TOOL-02)")
    func conditionsBeyondFiveOnWhichManagedClassesDependAreRefused() throws {
        let members = "ABCDEF".map { "#if \($0)\n@objc var v\($0): Int { 1 }\n#endif\n" }
        let five = try table("class Hero: NSManagedObject {\n" + members.dropLast().joined() + "}")
        #expect(five.lines.isEmpty && five.text.contains("#elseif A && B && C && D && E"))
        let six = try table("class Hero: NSManagedObject {\n" + members.joined() + "}")
        #expect(six.lines.count == 1 && six.lines[0].contains("A.swift:2:"))
    }
}
