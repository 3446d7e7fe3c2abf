import CoreDataSourceScanning
import TestBasics
import Testing

/// What the module command makes of sources that private classes, imports and aliases make harder.
@Suite(.timeLimit(.minutes(20))) struct ModuleRuleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Runs the command over sources, and over those of a module `Others` whose target has a plugin or not.
    private func build(
        _ sources: [String: String], others: [String: String] = [:], hasPlugin: Bool = true
    ) throws -> (code: Int32, lines: [String]) {
        var list = "plugin\tOthers\t\(hasPlugin ? folder.url.path : path("none"))\n"
        for (prefix, files) in [("source", sources), ("other\tOthers", others)] {
            for (name, text) in files.sorted(by: { $0.key < $1.key }) {
                try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
                list += "\(prefix)\t\(path(name))\n"
            }
        }
        try Data(list.utf8).write(to: folder.url.appendingPathComponent("list"))
        var lines: [String] = []
        let words = [
            "module", "--sources", path("out"), "--name", "App", "--list", path("list"), "--compiler",
            try Toolchain.url("swiftc").path, "--work", path("work"),
        ]
        let code = BuildCommand.run(words) { lines.append($0) }
        return (code, lines)
    }

    @Test("accessors of a private class are the visible class's above it, and its table has no key paths (KVC-05)")
    func privateClasses() throws {
        let outcome = try build([
            "A.swift": """
            import CoreData
            private class Ring: NSManagedObject {
                @NSManaged var label: String?
                @NSManaged var twin: Ring?
                @NSManaged func addToRings(_ value: Ring)
            }
            fileprivate final class Seal: Ring { @NSManaged var motto: String? }
            private enum Box { final class Coin: NSManagedObject { @NSManaged var worth: Int32 } }
            """
        ])
        #expect(outcome.code == 0, "\(outcome.lines)")
        let accessors = try text("out/CoreDataManagedAccessors.swift")
        #expect(accessors.components(separatedBy: "extension NSManagedObject {").count == 4)
        #expect(accessors.contains("() -> NSManagedObject? { managedValue(1) }"))
        #expect(accessors.contains("() -> String? { managedValue(3) }"))
        #expect(accessors.contains("(_ argument0: NSManagedObject) { addToMany(2, argument0) }"))
        let tables = try text("out/CoreDataGeneratedClasses.swift")
        #expect(tables.contains(#"HiddenClass(named: "Box.Coin") { hiddenTable2 },"#))
        #expect(tables.contains(#"PropertyTable(extending: hiddenTable0, [.stored("motto")])"#))
        #expect(!tables.contains("Ring.self"))
    }

    @Test("a type that only the file of a private class can name is reported by its place (KVC-05)") func privateTypes()
        throws
    {
        let outcome = try build([
            "A.swift": """
            import CoreData
            private class Ring: NSManagedObject {
                enum Kind: Int16 { case plain }
                @NSManaged var kind: Kind
            }
            """
        ])
        #expect(outcome.code == 1)
        #expect(outcome.lines.first?.hasPrefix("\(path("A.swift")):4:") == true, "\(outcome.lines)")
    }

    @Test("imports of one declaration keep their kind, and say which of two types is meant (KVC-05)")
    func scopedImports() throws {
        let outcome = try build(
            [
                "A.swift": """
                import struct Others.Date
                import class CoreData.NSManagedObject
                import class Foundation.NSDate
                class Hero: NSManagedObject { @NSManaged var born: Date?; @NSManaged var old: NSDate? }
                """,
                "B.swift": "import CoreData\nclass Villain: NSManagedObject { @NSManaged var born: Date? }",
            ], others: ["Others.swift": "public struct Date {}"])
        #expect(outcome.code == 0, "\(outcome.lines)")
        let accessors = try text("out/CoreDataManagedAccessors.swift")
        #expect(accessors.contains("$s3App4HeroC4born6Others4DateVSgvg"))
        #expect(accessors.contains("func coreDataGet_App_Hero_0() -> Others.Date?"))
        #expect(accessors.contains("func coreDataGet_App_Hero_1() -> Foundation.NSDate?"))
        #expect(accessors.contains("func coreDataGet_App_Villain_0() -> Date?"))
    }

    @Test("a module's own types and aliases take the place of those that are generated") func ownAliases() throws {
        let own = [
            "A.swift": "import CoreData\ntypealias NSExpression = CoreData.NSExpression",
            "B.swift": "enum Box { typealias NSComparisonPredicate = Int }",
        ]
        #expect(try build(own).code == 0)
        let aliases = try text("out/CoreDataAliases.swift")
        #expect(!aliases.contains("NSExpression") && aliases.contains("public typealias NSComparisonPredicate"))
        #expect(
            try build(own.merging(["C.swift": "class NSComparisonPredicate {}\nenum NSCompoundPredicate {}"]) { $1 })
                .code == 0)
        #expect(try !text("out/CoreDataAliases.swift").contains("typealias"))
    }

    @Test("a target without the plugin that another depends on is reported at its first managed member (TOOL-02)")
    func missingPlugin() throws {
        let others = ["Others.swift": "import CoreData\nclass Hero: NSManagedObject {\n  @NSManaged var a: Int64\n}"]
        let outcome = try build(["A.swift": "import CoreData"], others: others, hasPlugin: false)
        #expect(outcome.code == 1 && outcome.lines.count == 1)
        #expect(outcome.lines.first?.hasPrefix("\(path("Others.swift")):3:") == true)
        #expect(outcome.lines.first?.contains("error: The target of 'Others'") == true)
        #expect(try build(["A.swift": "import CoreData"], others: others).code == 0)
        let plain = ["Others.swift": "import CoreData\nclass Hero {}"]
        #expect(try build(["A.swift": "import CoreData"], others: plain, hasPlugin: false).code == 0)
    }
}
