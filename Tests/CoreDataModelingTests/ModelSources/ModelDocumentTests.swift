import CoreDataModeling
import TestBasics
import Testing

@Suite struct ModelDocumentTests {
    static let sources = FixtureSupport.paths(endingIn: "/contents")

    @Test(
        "every source of the fixtures is written byte for byte as it was read (MOD-03)",
        .enabled(if: Fixtures.areAvailable), .timeLimit(.minutes(20)))
    func fixturesAreWrittenUnchanged() throws {
        #expect(Self.sources.count >= 150)
        for path in Self.sources {
            let data = try Data(contentsOf: Fixtures.url(path))
            #expect(try ModelDocument(data).data == data, "\(path)")
        }
    }

    @Test(
        "every spelling that XML allows is written as it was read (MOD-03)",
        arguments: [
            "<model/>", "<model />", "<model></model>", "<model\n\t></model\n >",
            "\u{FEFF}<?xml version='1.0' encoding='utf-8'?>\r\n<!-- head -->\r\n<model a = 'it is \"so\"'\tb=\"c\"/>\r\n<!-- tail -->",
            "<model>\r\n\t<entity  name=\"A\"   isAbstract = 'NO' ></entity>\r\n</model>\r\n",
            "<model name=\"&quot;a&quot; &#10;&#x0A; &lt;&gt;&amp;&apos; > '\"/>",
            "<model><!-- <entity name=\"A\"> & --><?pi <>&?><![CDATA[<&]]> text &amp; more</model>",
            "<model a=\"é漢🎩\">\u{2028}</model>",
        ])
    func spellingsAreKept(text: String) throws {
        let document = try ModelDocument(Data(text.utf8))
        #expect(document.text == text)
        #expect(document.data == Data(text.utf8))
    }

    @Test func valuesAreDecoded() throws {
        let text = "<model a=\"&quot;x&#10;y&#x1F3A9;&lt;&amp;lt;\" b='one\r\ntwo\n\tthree' c=\"\"/>"
        let root = try ModelDocument(Data(text.utf8)).root
        #expect(root["a"] == "\"x\ny🎩<&lt;")
        #expect(root["b"] == "one two  three")
        #expect(root["c"] == "")
        #expect(root["d"] == nil)
    }

    @Test("a value that is set is read back the same (MOD-03)", arguments: ["a\"b'c", "<&>\n\t\r", "", "🎩", "&amp;"])
    func setValuesAreReadBack(value: String) throws {
        for source in ["<model a='x'/>", "<model a=\"x\"/>", "<model/>"] {
            var document = try ModelDocument(Data(source.utf8))
            try document.set(value, for: "a", at: .model)
            #expect(try ModelDocument(document.data).root["a"] == value)
        }
    }

    @Test func whatXMLCannotExpressIsRefused() throws {
        var document = try ModelDocument(Data("<model/>".utf8))
        #expect(throws: ModelingError.self) { try document.set("\u{1}", for: "a", at: .model) }
        #expect(throws: ModelingError.self) { try document.set("x", for: "a b", at: .model) }
        #expect(document.text == "<model/>")
    }

    @Test(
        "the order of attributes and elements in the fixtures is the one that edits follow (MOD-03)",
        .enabled(if: Fixtures.areAvailable))
    func orderOfTheFixtures() throws {
        var exceptions: [String: Int] = [:]
        for path in Self.sources {
            visit(try ModelDocument(Data(contentsOf: Fixtures.url(path))).root) { element in
                // Two places of Xcode's history: the identifier came first until version 8, the generation in a beta of it.
                let early: Set = ["userDefinedModelVersionIdentifier", "codeGenerationType"]
                let names = element.attributes.map(\.name).filter { !early.contains($0) }
                let ranks = names.map { ElementOrder.rank(of: $0, in: element.name) }
                if ranks != ranks.sorted() || ranks.contains(.max) && element.attributes.count > 1 {
                    exceptions["\(element.name): \(names)", default: 0] += 1
                }
                let kinds = ElementOrder.elements[element.name] ?? []
                let places = element.elements.map { kinds.firstIndex(of: $0.name) ?? -1 }
                if places != places.sorted() { exceptions["\(element.name): elements", default: 0] += 1 }
            }
        }
        #expect(exceptions.isEmpty, "\(exceptions)")
    }

    private func visit(_ element: ModelElement, _ body: (ModelElement) -> Void) {
        body(element)
        for inner in element.elements { visit(inner, body) }
    }
}
