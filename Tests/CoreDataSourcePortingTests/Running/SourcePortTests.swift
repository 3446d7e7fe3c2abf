import CoreDataSourcePorting
import Foundation
import Testing

@Suite struct SourcePortTests {
    @Test("the alias file is made once for each module that names an ambiguous type")
    func aliasFileIsMadeOnceForEachModuleThatNamesAmbiguousType() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add("Sources/A/One.swift", "let a: NSExpression? = nil\n")
        try workshop.add("Sources/A/Deep/Two.swift", "let b = NSComparisonPredicate.Operator.in\n")
        try workshop.add("Sources/B/Three.swift", "// NSExpression\nlet c = \"NSExpression\"\n")
        try workshop.add("Tests/C/Four.swift", "let d: [NSExpression] = []\n")
        let port = try workshop.port()
        let names = port.files.map { $0.path.replacingOccurrences(of: workshop.folder.path, with: "") }
        #expect(
            names.map { $0.components(separatedBy: "/").suffix(2).joined(separator: "/") } == [
                "A/CoreDataAliases.swift", "C/CoreDataAliases.swift",
            ])
        try port.write()
        let text = try workshop.text("Sources/A/CoreDataAliases.swift")
        #expect(text.hasPrefix("#if !canImport(ObjectiveC)\n") && text.hasSuffix("#endif\n"))
        #expect(text.contains("typealias NSExpression = CoreData.NSExpression"))
        #expect(try workshop.port().files.isEmpty)
    }

    @Test("where the plugin makes the aliases none are written") func wherePluginMakesAliasesNoneAreWritten() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add("Package.swift", "plugins: [.plugin(name: \"CoreDataModelPlugin\", package: \"x\")]\n")
        let source = try workshop.add("Sources/A/One.swift", "let a: NSExpression? = nil\n")
        #expect(try SourcePort(of: [source.path]).files.isEmpty)
        try FileManager.default.removeItem(at: workshop.folder.appendingPathComponent("Package.swift"))
        #expect(try SourcePort(of: [source.path]).files.count == 1)
    }

    @Test("a target without the plugin gets the aliases though another has it, and the import that it lacks")
    func pluginOfAnother() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add(
            "Package.swift",
            """
            let package = Package(name: "P", targets: [
                .target(name: "A", dependencies: ["Core"]),
                .target(name: "B", plugins: [.plugin(name: "CoreDataModelPlugin", package: "x")]),
            ])
            """)
        try workshop.add("Sources/A/One.swift", "import Foundation\n\nlet a: NSExpression? = nil\n")
        try workshop.add("Sources/B/Two.swift", "import CoreData\n\nlet b: NSExpression? = nil\n")
        let port = try workshop.port()
        try port.write()
        #expect(try workshop.text("Sources/A/One.swift").hasPrefix("import CoreData\nimport Foundation\n"))
        #expect(try workshop.text("Sources/A/CoreDataAliases.swift").contains("typealias NSExpression"))
        #expect(port.files.count == 2 && port.notes.contains { $0.message.contains("needs the product CoreData") })
        #expect(try workshop.port().files.isEmpty)
    }

    @Test("a library's types of Foundation's names are said to be the library's where another module uses them")
    func foreignTypes() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add(
            "Sources/Query/Types.swift", "public struct Predicate<Root> {}\nstruct SortDescriptor {}\n")
        try workshop.add("Sources/Query/Use.swift", "import Foundation\nlet own: Predicate<Int>? = nil\n")
        try workshop.add(
            "Tests/QueryTests/Tests.swift",
            "import Foundation\nimport Query\nlet a: Predicate<Int>? = nil\nlet b: SortDescriptor<Int>? = nil\n")
        try workshop.add("Tests/OtherTests/Tests.swift", "import Foundation\nlet a: Predicate<Int>? = nil\n")
        let port = try workshop.port()
        #expect(
            port.files.map(\.path).map { $0.components(separatedBy: "/").suffix(2).joined(separator: "/") } == [
                "QueryTests/LibraryAliases.swift"
            ])
        try port.write()
        let text = try workshop.text("Tests/QueryTests/LibraryAliases.swift")
        #expect(text.contains("import Query\n") && text.contains("\ntypealias Predicate = Query.Predicate\n"))
        #expect(!text.contains("SortDescriptor"))
        #expect(try workshop.port().files.isEmpty)
    }

    @Test("a selector in a constant that only observers are added with stays for Apple's systems with its uses")
    func selectorConstants() throws {
        let (text, findings) = try ported(
            """
            import Foundation
            final class Stack {
                func start() {
                    let saved = #selector(didSave(_:))
                    NotificationCenter.default.addObserver(self, selector: saved, name: .a, object: nil)
                }
                @objc func didSave(_ note: Notification) {}
            }
            """)
        #expect(findings.isEmpty, "\(findings.map(\.message))")
        #expect(
            text.contains("#if canImport(ObjectiveC)\n        let saved = #selector(didSave(_:))\n        #endif\n"))
        #expect(text.contains("addObserver(self, calling: Stack.didSave(_:), name: .a, object: nil)"))
        let (_, others) = try ported(
            """
            final class Stack {
                func start() {
                    let saved = #selector(didSave(_:))
                    run(saved)
                }
            }
            """)
        #expect(others.count == 1)
    }

    @Test("other files than Swift sources, and unreadable ones, are reported and left")
    func otherFilesThanSwiftSources() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add("Bad.swift", Data([0x40, 0xFF, 0xFE, 0x0A]))
        try workshop.add("Broken.swift", "@objc class {{{ let\n")
        try workshop.add("Old.m", "@interface A @end")
        try workshop.add("Main.storyboard", "<x/>")
        try workshop.add("Huge.swift", Data(repeating: 0x20, count: 9 << 20))
        try workshop.add(".hidden/A.swift", "@objc class A {}")
        try workshop.add("notes.txt", "@objc class A {}")
        let target = try workshop.add("Elsewhere/Real.swift", "let a = 1\n")
        let link = workshop.folder.appendingPathComponent("Link.swift")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let port = try workshop.port()
        #expect(port.files.isEmpty && port.count == 4)
        let told = port.findings.map { URL(fileURLWithPath: $0.file).lastPathComponent }
        #expect(told.sorted() == ["Bad.swift", "Broken.swift", "Huge.swift", "Link.swift", "Main.storyboard", "Old.m"])
        #expect(port.findings.allSatisfy { $0.line == 0 && $0.place == $0.file })
    }

    @Test("texts and comments with brackets that do not match do not count as depth")
    func textsAndCommentsWithBracketsThatDoNotMatchDoNotCount() throws {
        let lines = String(repeating: "func f() { print(\"({[\") } // :-( if\n", count: 2_000)
        let (text, findings) = try ported("@objc class A {}\n" + lines)
        #expect(text.hasPrefix("#if canImport(ObjectiveC)") && findings.isEmpty)
    }

    @Test("a link that is named is followed, and stays a link") func linkThatIsNamedIsFollowed() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let target = try workshop.add("Real.swift", "@objc class A {}\n")
        let link = workshop.folder.appendingPathComponent("Link.swift")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        try SourcePort(of: [link.path, target.path]).write()
        #expect(try workshop.text("Real.swift") == "#if canImport(ObjectiveC)\n@objc\n#endif\nclass A {}\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
    }

    @Test("a file that has changed meanwhile is not written") func fileThatHasChangedMeanwhileIsNotWritten() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add("A.swift", "@objc class A {}\n")
        let port = try workshop.port()
        try workshop.add("A.swift", "@objc class B {}\n")
        #expect(throws: ModelingError.self) { try port.write() }
        #expect(try workshop.text("A.swift") == "@objc class B {}\n")
    }

    @Test(
        "depth is the source's to choose: no depth ends the process", .timeLimit(.minutes(20)),
        arguments: [
            "let a = " + String(repeating: "(", count: 10_000) + "1" + String(repeating: ")", count: 10_000),
            "let a = b" + String(repeating: ".c", count: 100_000),
            "let a = b" + String(repeating: "?.c()", count: 50_000),
            "let a = 1" + String(repeating: " + 1", count: 100_000),
            "let a = " + String(repeating: "!", count: 100_000) + "true",
            String(repeating: "class A { ", count: 5_000) + String(repeating: "}", count: 5_000),
            String(repeating: "#if DEBUG\n", count: 10_000) + String(repeating: "#endif\n", count: 10_000),
            "#if " + String(repeating: "!(", count: 10_000) + "A" + String(repeating: ")", count: 10_000)
                + "\n#endif\n",
            "#if A" + String(repeating: " || A", count: 20_000) + "\n#endif\n",
            "func f() { if a {} " + String(repeating: "else if a {} ", count: 20_000) + "}",
            "let a = " + String(repeating: "\"\\(", count: 2_000) + "1" + String(repeating: ")\"", count: 2_000),
            "let a: " + String(repeating: "[", count: 10_000) + "Int" + String(repeating: "]", count: 10_000),
            "/*" + String(repeating: "/*", count: 100_000),
            "let a: " + String(repeating: "A<", count: 15_000) + "Int" + String(repeating: ">", count: 15_000),
            "let a: " + String(repeating: "A<", count: 5_000) + "Int" + String(repeating: ">", count: 5_000),
            "let a: " + String(repeating: "A -> ", count: 100_000) + "Int",
            "let a: " + String(repeating: "A -> ", count: 15_000) + "Int",
            "let a = " + String(repeating: "if ", count: 100_000), "let a = " + String(repeating: "if ", count: 15_000),
            "func f() {" + String(repeating: "repeat ", count: 15_000) + "}",
            "let a = " + String(repeating: "try ", count: 15_000) + "b",
            "#if DEBUG" + String(repeating: "\n#if A", count: 15_000) + String(repeating: "\n#endif", count: 15_001),
            "func f() { if a {} " + String(repeating: "else if a {} ", count: 7_500) + "}",
        ])
    func depthIsSourcesToChoose(_ source: String) throws {
        let start = "@objc class Start {}\n"
        let (text, findings) = try ported(start + source + "\n")
        // Either it was understood and rewritten, or left and told of.
        #expect(text.hasPrefix("#if canImport(ObjectiveC)\n@objc") != findings.contains { $0.line == 0 })
        #expect(text.hasSuffix(source + "\n"))
    }
}
