import CoreDataSourcePorting
import Testing

@Suite struct AttributeRuleTests {
    @Test("an attribute goes behind a condition, in lines of its own") func attributeGoesBehindCondition() throws {
        let source = """
            @objc(Hero) // Xcode's
            public class Hero: NSManagedObject {
                @objc public dynamic var a = 1 // kept
            \t@NSManaged @objc var b: Int
                @available(iOS 10, *) @objc(c) @IBOutlet
                weak var c: NSObject?
            }
            """
        let expected = """
            #if canImport(ObjectiveC)
            @objc(Hero) // Xcode's
            #endif
            public class Hero: NSManagedObject {
                #if canImport(ObjectiveC)
                @objc
                #endif
                public dynamic var a = 1 // kept
            \t#if canImport(ObjectiveC)
            \t@objc
            \t#endif
            \t@NSManaged var b: Int
                #if canImport(ObjectiveC)
                @objc(c) @IBOutlet
                #endif
                @available(iOS 10, *) weak var c: NSObject?
            }
            """
        #expect(try ported(source).text == expected)
    }

    @Test("a note says who reads objects below NSObject by key, until their marks are behind conditions (KVC-05)")
    func notesOnKeyedAccess() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.add(
            "Source.swift",
            """
            import CoreData
            @objcMembers class Visitor: NSObject { var name = "" }
            class Guest: Visitor { @objc var visits = 0 }
            private class Hidden: NSObject { @objc var title = "" }
            class Silent: NSObject { var title = "" }
            class Hero: NSManagedObject { @objc var title: String { "" } }
            """)
        let port = try workshop.port()
        let notes = port.notes.map(\.message)
        let isNoted = ["Visitor", "Guest", "Hidden", "Silent", "Hero"].map { name in
            notes.contains { $0.contains(" \(name) here") }
        }
        #expect(isNoted == [true, true, true, false, false], "\(notes)")
        #expect(notes.filter { $0.contains("CoreDataModelPlugin") }.count == 2)
        #expect(port.findings.isEmpty)
        try port.write()
        #expect(try workshop.port().notes.isEmpty)
    }

    @Test("declarations in the middle of a line get lines of their own")
    func declarationsInMiddleOfLineGetLinesOfTheirOwn() throws {
        let source = "class A { @objc func f() {}; @objc func g() {} }\n"
        let expected = """
            class A {
            #if canImport(ObjectiveC)
            @objc
            #endif
            func f() {};
            #if canImport(ObjectiveC)
            @objc
            #endif
            func g() {} }

            """
        #expect(try ported(source).text == expected)
    }

    @Test("line ends, the byte order mark and other bytes stay") func lineEndsByteOrderMarkAndOtherBytesStay() throws {
        let source = "\u{FEFF}@objc class A {\r\n\t@nonobjc func f() {} \r\n}\r\n"
        let expected =
            "\u{FEFF}#if canImport(ObjectiveC)\r\n@objc\r\n#endif\r\nclass A {\r\n\t@nonobjc func f() {} \r\n}\r\n"
        #expect(Array(try ported(source).text.utf8) == Array(expected.utf8))
    }

    @Test(
        "what has been thought of for both sides is left",
        arguments: [
            "#if canImport(ObjectiveC)\n@objc\n#endif\nclass A {}",
            "#if !canImport(ObjectiveC)\nlet a = 1\n#else\nlet a = #keyPath(A.b)\n#endif",
            "#if os(iOS) || os(macOS)\n@objc class A {}\nimport UIKit\n#elseif canImport(UIKit)\nlet k = #keyPath(A.b)\n#endif",
            "#if os(Linux)\n#else\n@objc class A {}\n#endif",
            "let text = \"@objc #keyPath(A.b)\" // @objc",
        ])
    func whatHasBeenThoughtOfForBothSidesIsLeft(_ source: String) throws {
        let (text, findings) = try ported(source)
        #expect(text == source && findings.isEmpty)
    }

    @Test("other conditions do not exempt a declaration") func otherConditions() throws {
        let text = try ported("#if DEBUG && !os(iOS)\n@objc class A {}\n#endif\n").text
        #expect(text == "#if DEBUG && !os(iOS)\n#if canImport(ObjectiveC)\n@objc\n#endif\nclass A {}\n#endif\n")
    }

    @Test("a protocol of Objective-C stays one of classes") func protocolOfObjectiveCStaysOneOfClasses() throws {
        let text = try ported(
            "@objc protocol P {}\n@objc\nprotocol Q: Sendable {}\n@objc protocol R: NSObjectProtocol {}\n"
        )
        .text
        #expect(text.contains("\nprotocol P: AnyObject {}"))
        #expect(text.contains("\nprotocol Q: AnyObject, Sendable {}"))
        #expect(text.contains("\nprotocol R: NSObjectProtocol {}"))
    }
}
