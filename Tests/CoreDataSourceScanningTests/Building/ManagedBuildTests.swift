import CoreDataSourceScanning
import TestBasics
import Testing

/// What the module command makes of Swift sources.
@Suite(.timeLimit(.minutes(20))) struct ManagedBuildTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Runs the command over sources, and over those of a module `Others` that it depends on.
    private func build(
        _ sources: [String: String], others: [String: String] = [:], compiler: String? = nil
    ) throws -> (code: Int32, lines: [String]) {
        var list = ""
        for (prefix, files) in [("source", sources), ("other\tOthers", others)] {
            for (name, text) in files.sorted(by: { $0.key < $1.key }) {
                try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
                list += "\(prefix)\t\(path(name))\n"
            }
        }
        try Data(list.utf8).write(to: folder.url.appendingPathComponent("list"))
        var lines: [String] = []
        let compiler = try compiler ?? Toolchain.url("swiftc").path
        let words = [
            "module", "--sources", path("out"), "--name", "App", "--list", path("list"), "--compiler", compiler,
            "--work", path("work"),
        ]
        let code = BuildCommand.run(words) { lines.append($0) }
        return (code, lines)
    }

    private let hero = """
        import CoreData
        class Hero: NSManagedObject {
            @NSManaged var name: String?
            @NSManaged func addToPowers(_ value: Hero)
            @objc var title: String { name ?? "" }
        }
        """

    @Test("the text of accessors and tables is this (KVC-05)") func textOfAccessorsAndTablesIsThis() throws {
        let outcome = try build(["Hero.swift": hero])
        #expect(outcome.code == 0 && outcome.lines.isEmpty, "\(outcome.lines)")
        #expect(
            try text("out/CoreDataManagedAccessors.swift") == """
                // CoreDataManagedAccessors.swift
                //
                // This file was automatically generated and should not be edited.

                import CoreData
                import Foundation

                extension Hero {
                #sourceLocation(file: "\(path("Hero.swift"))", line: 3)
                    @_silgen_name("$s3App4HeroC4nameSSSgvg") nonisolated dynamic internal \
                func coreDataGet_App_Hero_0() -> String? { managedValue(0) }
                    @_silgen_name("$s3App4HeroC4nameSSSgvs") nonisolated dynamic internal \
                func coreDataSet_App_Hero_0(_ value: __owned String?) { setManagedValue(0, value) }
                #sourceLocation()
                #sourceLocation(file: "\(path("Hero.swift"))", line: 4)
                    @_silgen_name("$s3App4HeroC11addToPowersyyACF") nonisolated dynamic internal \
                func coreDataCall_App_Hero_1(_ argument0: Hero) { addToMany(1, argument0) }
                #sourceLocation()
                }

                """)
        let table = try text("out/CoreDataGeneratedClasses.swift")
        #expect(table.contains(#".stored("name", \Hero.name),"#) && table.contains(#".stored("powers"),"#))
        #expect(table.contains(#".computed("title", \Hero.title),"#))
        #expect(try text("out/CoreDataAliases.swift").contains("public typealias NSExpression"))
        #expect(table.contains("coreDataNote((\"App\" as StaticString).utf8Start)"))
    }

    @Test("each form of a to-many method calls its building block with the relationship's number (KVC-19)")
    func eachFormOfToManyMethodCallsItsBuildingBlock() throws {
        let forms = [
            ("addToItems(_ value: Hero)", "addToMany(1, argument0)"),
            ("addToItems(_ values: NSSet)", "addToMany(1, argument0)"),
            ("removeFromItems(_ values: Set<Hero>)", "removeFromMany(1, argument0)"),
            ("removeFromItems(at idx: Int)", "removeFromMany(1, at: argument0)"),
            ("removeFromItems(at indexes: NSIndexSet)", "removeFromMany(1, at: argument0 as IndexSet)"),
            ("insertIntoItems(_ value: Hero, at idx: Int)", "insertIntoMany(1, argument0, at: argument1)"),
            (
                "insertIntoItems(_ values: NSArray, at indexes: NSIndexSet)",
                "insertIntoMany(1, argument0.compactMap { $0 as? NSManagedObject }, at: argument1 as IndexSet)"
            ),
            ("replaceItems(at idx: Int, with value: Hero)", "replaceInMany(1, at: argument0, with: argument1)"),
            ("addToURLs(_ value: Hero)", "addToMany(0, argument0)"),
        ]
        let members = forms.map { "  @NSManaged func \($0.0)\n" }.joined()
        let source = "import CoreData\nclass Hero: NSManagedObject {\n  @NSManaged var URLs: Set<Hero>\n\(members)}"
        let outcome = try build(["Hero.swift": source])
        #expect(outcome.code == 0, "\(outcome.lines)")
        let calls = try text("out/CoreDataManagedAccessors.swift").split(separator: "\n")
            .filter { $0.contains("coreDataCall") }
            .compactMap { $0.split(separator: ") { ", maxSplits: 1).last?.dropLast(2) }
        #expect(calls.map(String.init) == forms.map(\.1))
    }

    @Test("numbers count on where a superclass may have a table of its own (KVC-05)")
    func numbersCountOnWhereSuperclassMayHaveTableOfItsOwn() throws {
        let source = """
            import CoreData
            class A: NSManagedObject { @NSManaged var a: Int64 }
            class B: A { @NSManaged var b: Int64, c: Int64 }
            class T: A { override class var propertyTable: PropertyTable { super.propertyTable } }
            class U: T { @NSManaged var u: Int64, v: Int64; @NSManaged var primitiveU: NSNumber? }
            """
        #expect(try build(["A.swift": source]).code == 0)
        let accessors = try text("out/CoreDataManagedAccessors.swift")
        #expect(accessors.contains("Int64 { managedValue(2) }"))
        #expect(accessors.contains("nonisolated private let firstNumberOfU = PropertyTable.of(T.self).keys.count"))
        #expect(accessors.contains("{ managedValue(firstNumberOfU + 1) }"))
        #expect(accessors.contains(#"{ primitiveManagedValue("u") }"#))
    }

    @Test("sources without @NSManaged ask no compiler, and without the library give empty files (TOOL-02)")
    func nothingToDo() throws {
        #expect(try build(["A.swift": "struct A {}"], compiler: "/nowhere").code == 0)
        for name in ["ManagedAccessors", "GeneratedClasses", "Aliases"] {
            let lines = try text("out/CoreData\(name).swift").split(separator: "\n")
            #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("//") })
        }
        #expect(
            try build(
                ["A.swift": "import CoreData\nclass A: NSManagedObject { @objc var b: Int { 1 } }"],
                compiler: "/nowhere"
            ).code == 0)
        #expect(try text("out/CoreDataGeneratedClasses.swift").contains(#".computed("b", \A.b)"#))
        #expect(try build(["A.swift": hero], compiler: "/nowhere").code == 1)
    }

    @Test("an edit that changes no managed member writes nothing and asks no compiler (TOOL-02)")
    func editThatChangesNoManagedMemberWritesNothingAndAsks() throws {
        #expect(try build(["Hero.swift": hero]).code == 0)
        let number = {
            try FileManager.default.attributesOfItem(atPath: path("out/CoreDataManagedAccessors.swift"))[
                .systemFileNumber] as? Int
        }
        let before = try number()
        let edited = hero.replacing("name ?? \"\"", with: "name ?? \"nobody\"")
        #expect(try build(["Hero.swift": edited], compiler: "\(try Toolchain.url("swiftc").path)").code == 0)
        #expect(try number() == before)
    }

    @Test("a type of a module that the target depends on is found there, also through another name (KVC-05)")
    func typesOfOthers() throws {
        let sources = [
            "Hero.swift": """
            import CoreData
            import Others
            class Hero: Base { @NSManaged var kinds: Kinds?; @NSManaged var box: Outer.Box<Int>? }
            """
        ]
        let others = [
            "Kinds.swift": """
            import CoreData
            open class Base: NSManagedObject { @NSManaged public var own: Kinds? }
            public enum Kind: Int16 { case a }
            public typealias Kinds = [Kind]
            public enum Outer { public struct Box<Content> { var content: Content } }
            """
        ]
        let outcome = try build(sources, others: others)
        #expect(outcome.code == 0, "\(outcome.lines)")
        let accessors = try text("out/CoreDataManagedAccessors.swift")
        #expect(accessors.contains("$s3App4HeroC5kindsSay6Others4KindOGSgvg"))
        #expect(accessors.contains("import Others\n") && accessors.contains("PropertyTable.of(Base.self).keys.count"))
        #expect(!accessors.contains("extension Base"))
    }

    @Test("a nested class may name what stands beside it, and what is inside it comes first (KVC-05)")
    func nestedClassMayNameWhatStandsBeside()
        throws
    {
        let source = """
            import CoreData
            enum Outer {
                class Hero: NSManagedObject {
                    enum Kind: Int16 { case plain }
                    @NSManaged var friends: Set<Power>
                    @NSManaged var kind: Kind
                    @NSManaged var name: Name?
                    @NSManaged func addToFriends(_ value: Power)
                }
                class Power: NSManagedObject {}
                enum Kind { case other }
                typealias Name = String
            }
            """
        let outcome = try build(["Hero.swift": source])
        #expect(outcome.code == 0, "\(outcome.lines)")
        let accessors = try text("out/CoreDataManagedAccessors.swift")
        #expect(accessors.contains("-> Set<Outer.Power> {") && accessors.contains("-> Kind {"))
        #expect(accessors.contains("-> Outer.Name? {") && accessors.contains("_ argument0: Outer.Power)"))
    }

    @Test("members between #if and #endif are written for each choice of the condition (KVC-05)")
    func membersBetweenIfAndEndifAreWrittenForEachChoiceOfCondition()
        throws
    {
        let source = """
            import CoreData
            class Hero: NSManagedObject {
                #if DEBUG
                @NSManaged var name: String?
                #else
                @NSManaged var name: Int64
                #endif
                #if IRRELEVANT
                func f() {}
                #endif
            }
            """
        #expect(try build(["Hero.swift": source]).code == 0)
        let accessors = try text("out/CoreDataManagedAccessors.swift")
        #expect(accessors.contains("\n#if !DEBUG\n") && accessors.contains("\n#elseif DEBUG\n"))
        #expect(!accessors.contains("IRRELEVANT"))
        #expect(accessors.contains("nameSSSgvg") && accessors.contains("names5Int64Vvg"))
        #expect(try !text("out/CoreDataGeneratedClasses.swift").contains("DEBUG"))
    }

    @Test(
        "members that cannot be generated are reported by file, line and name, and nothing is written (KVC-05)",
        arguments: [
            (
                "class Hero: NSManagedObject {\n  @NSManaged var a: Missing?\n}", 3,
                "'a' cannot be bridged: cannot find type 'Missing'"
            ),
            (
                "private enum E: Int { case a }\nclass Hero: NSManagedObject {\n  @NSManaged fileprivate var a: E?\n}",
                4, "The type 'E'"
            ),
            ("class Hero: NSManagedObject {\n  @NSManaged func fly() -> Int\n}", 3, "'fly()' is none"),
            (
                "func f() {\n  class Hero: NSManagedObject {\n    @NSManaged var a: Int64\n    @NSManaged var b: Int64\n  }\n}",
                4, "class inside a function"
            ),
            ("extension Bundle {\n  @NSManaged var a: Int\n}", 3, "not this module's"),
            ("class Hero: NSManagedObject {\n  @NSManaged var a\n}", 3, "needs a name and a type"),
        ])
    func whatCannotBeCarriedOutIsToldByFile(source: String, line: Int, message: String) throws {
        let outcome = try build(["Hero.swift": "import CoreData\n" + source])
        #expect(outcome.code == 1)
        #expect(
            outcome.lines.contains {
                $0.contains("Hero.swift:\(line):") && $0.contains(": error: ") && $0.contains(message)
            },
            "\(outcome.lines)")
        #expect(!FileManager.default.fileExists(atPath: path("out/CoreDataManagedAccessors.swift")))
    }
}
