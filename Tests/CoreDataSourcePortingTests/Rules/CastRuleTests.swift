import CoreDataSourcePorting
import Testing

@Suite struct CastRuleTests {
    private func body(_ lines: String) -> String { "func f() {\n    \(lines)\n}\n" }

    /// The twin of a statement that a cast is in.
    private func twin(_ statement: String) throws -> String? {
        let (text, findings) = try ported(body(statement))
        guard findings.isEmpty else { return nil }
        let lines = text.components(separatedBy: "\n").map { String($0.drop { $0 == " " }) }
        guard lines.count == 8, lines[1] == "#if canImport(ObjectiveC)", lines[2] == statement else { return nil }
        return lines[4]
    }

    @Test(
        "a cast between request types is retyped(as:) for other systems",
        arguments: [
            (
                "let r = request as! NSFetchRequest<Hero>",
                "let r = (request as Any as! UntypedFetchRequest).retyped(as: Hero.self)"
            ),
            (
                "return try Hero.fetchRequest() as? NSFetchRequest<Self>",
                "return try (Hero.fetchRequest() as Any as? UntypedFetchRequest)?.retyped(as: Self.self)"
            ),
            (
                "if a, let r = f(x) as? NSFetchRequest<NSFetchRequestResult> { run(r) }",
                "if a, let r = (f(x) as Any as? UntypedFetchRequest)?.retyped(as: NSFetchRequestResult.self) { run(r) }"
            ),
            ("a = b ?? c as! NSFetchRequest<H>", "a = b ?? (c as Any as! UntypedFetchRequest).retyped(as: H.self)"),
            ("x = request is NSFetchRequest<Hero>", "x = (request as Any is UntypedFetchRequest)"),
        ])
    func casts(_ source: String, _ expected: String) throws {
        #expect(try twin(source) == expected)
        let text = try ported(body(source)).text
        #expect(try ported(text).text == text)
    }

    @Test(
        "a cast that cannot be rewritten is reported",
        arguments: [
            "func g(_ r: NSFetchRequest<Hero> = other as! NSFetchRequest<Hero>) {}",
            "switch r {\ncase let r as NSFetchRequest<Hero>: use(r)\ndefault: break\n}",
            "let x = a << b as! NSFetchRequest<Hero>",
        ])
    func castThatCannotBeRewrittenIsReported(_ source: String) throws {
        let (text, findings) = try ported(source)
        #expect(text == source && findings.count == 1)
    }

    @Test(
        "other casts and conversions are left",
        arguments: [
            "r as NSFetchRequest<Hero>", "r as! [NSFetchRequest<Hero>]", "r as? NSAsynchronousFetchRequest<Hero>",
        ])
    func otherCastsAndConversionsAreLeft(_ expression: String) throws {
        let (text, findings) = try ported(body("let x = \(expression)"))
        #expect(text == body("let x = \(expression)") && findings.isEmpty)
    }

    @Test("Bundle(for:) becomes Bundle.module in a module with a model, and is reported in another")
    func bundleForIsBundleModuleForModuleWithModel() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let source =
            "class A {\n    static let b = Bundle(for: A.self)\n    var c: Bundle { Bundle(for: type(of: self)) }\n}\n"
        try workshop.add("Sources/A/A.swift", source)
        try workshop.add("Sources/A/M.xcdatamodeld/M.xcdatamodel/contents", "<model/>")
        try workshop.add("Sources/B/B.swift", source)
        let port = try workshop.port()
        #expect(port.findings.map(\.line) == [2, 3] && port.findings.allSatisfy { $0.file.hasSuffix("B.swift") })
        try port.write()
        #expect(
            try workshop.text("Sources/A/A.swift") == """
                class A {
                    #if canImport(ObjectiveC)
                    static let b = Bundle(for: A.self)
                    #else
                    static let b = Bundle.module
                    #endif
                    var c: Bundle {\u{20}
                    #if canImport(ObjectiveC)
                    Bundle(for: type(of: self))
                    #else
                    Bundle.module
                    #endif
                     }
                }

                """)
    }
}
