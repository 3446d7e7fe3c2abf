import CoreDataSourcePorting
import Testing

@Suite struct ExtensionMemberTests {
    @Test("an override in an extension moves into the body of its class, with its comments and access")
    func overrideInExtensionMovesIntoBodyOfItsClass()
        throws
    {
        let source = """
            class A: NSManagedObject {
                var a = 1
            }
            public extension A {
                // Dates.
                @objc override func awakeFromInsert() {
                    super.awakeFromInsert()
                }

                func other() {}
            }
            """
        let expected = """
            class A: NSManagedObject {
                var a = 1

                // Dates.
                #if canImport(ObjectiveC)
                @objc
                #endif
                public override func awakeFromInsert() {
                    super.awakeFromInsert()
                }
            }
            public extension A {

                func other() {}
            }
            """
        let text = try ported(source).text
        #expect(text == expected)
        #expect(try ported(text).text == text)
    }

    @Test("what an extension declares and a subclass overrides moves too, and init(context:)")
    func whatExtensionDeclaresAndSubclassOverridesMovesToo() throws {
        let text = try ported(
            """
            class A: NSManagedObject {}
            class B: A {}
            extension A {
                class func make() {}
                var name: String { "" }
                func kept() {}
                convenience init(context: NSManagedObjectContext) { self.init(entity: e, insertInto: context) }
            }
            extension B {
                override class func make() {}
                override var name: String { "b" }
            }
            """
        ).text
        #expect(
            text == """
                class A: NSManagedObject {

                    class func make() {}

                    var name: String { "" }

                    required convenience init(context: NSManagedObjectContext) { self.init(entity: e, insertInto: context) }
                }
                class B: A {

                    override class func make() {}

                    override var name: String { "b" }
                }
                extension A {
                    func kept() {}
                }
                extension B {
                }
                """)
    }

    @Test("a member moves to the file of its class, with the imports of its own, unless it names what is private there")
    func memberMovesToFileOfItsClass() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add("Sources/A/A.swift", "import CoreData\nclass A: NSManagedObject {\n}\n")
        try workshop.add(
            "Sources/A/B.swift",
            """
            import CoreData
            import Dispatch
            private func hidden() {}
            extension A {
                override func willSave() { super.willSave() }
                override func didSave() { hidden() }
            }

            """)
        let port = try workshop.port()
        #expect(port.findings.map(\.line) == [6])
        try port.write()
        #expect(
            try workshop.text("Sources/A/A.swift")
                == "import Dispatch\nimport CoreData\nclass A: NSManagedObject {\n\n    override func willSave() { super.willSave() }\n}\n"
        )
        #expect(try !workshop.text("Sources/A/B.swift").contains("willSave"))
    }

    @Test("an override in an extension of a class outside of the sources is reported")
    func overrideInExtensionOfOutsideClassIsReported() throws {
        let source = "extension NSManagedObject { open override var description: String { \"\" } }"
        let (text, findings) = try ported(source)
        #expect(text == source && findings.count == 1)
    }

    @Test(
        "a required initializer is as visible as its class wants it",
        arguments: [
            ("class", "override private ", "required override "),
            ("open class", "override ", "required public override "),
            ("open class", "fileprivate override ", "public required override "),
            ("private class", "private override ", "private required override "),
            ("public class", "override ", "required override "),
        ])
    func requiredInitializerIsAsVisibleAsItsClassWants(_ type: String, _ modifiers: String, _ expected: String) throws {
        let initializer = "init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}"
        let text = try ported("\(type) A: NSManagedObject { \(modifiers)\(initializer) }").text
        #expect(text == "\(type) A: NSManagedObject { \(expected)\(initializer) }")
    }
}
