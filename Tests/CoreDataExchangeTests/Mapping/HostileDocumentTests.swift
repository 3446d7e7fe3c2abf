import CoreData
import CoreDataExchange
import CoreDataWorkbench
import TestBasics
import Testing

/// Documents that are wrong, or made to do harm: refused with the place, and nothing half saved.
@Suite("Hostile documents in imports") struct HostileDocumentTests {
    private static let mapping = """
        { at = "all.m"; entity = Message; properties = { identifier = n; text = t; price = p; }; }
        """

    private func take(_ store: MappingStore, _ data: Data, _ name: String, _ rules: String = "") throws
        -> MappingStore.Outcome
    {
        let text = Self.mapping.replacing("{ at =", with: "{ \(rules) at =")
        return try store.take(data, named: name, by: MappingStore.mapping(text))
    }

    private func refusal(_ store: MappingStore, _ text: String, _ name: String) -> String {
        do {
            let outcome = try take(store, Data(text.utf8), name)
            return outcome.isSaved ? "saved" : outcome.refusals.joined(separator: " ")
        } catch {
            return "\(error)"
        }
    }

    @Test("bytes of Latin-1 in a document of UTF-8 are refused with the line, and nothing is saved (WEB-06, WEB-07)")
    func latin1() throws {
        let store = try MappingStore()
        let head = Data("{\"all\": {\"m\": [{\"n\": 1, \"t\": \"a\"},\n{\"n\": 2, \"t\": \"M".utf8)
        let json = head + Data([0xFC]) + Data("ller\"}]}}".utf8)
        let outcome = try take(store, json, "a.json")
        #expect(!outcome.isSaved && outcome.refusals.count == 1 && outcome.refusals[0].contains("at line 2"))
        let (start, end) = ("<all>\n<m><n>1</n><t>M", "ller</t></m></all>")
        let xml = Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\(start)".utf8) + Data([0xFC]) + Data(end.utf8)
        #expect(throws: InspectionError.self) { try take(store, xml, "a.xml") }
        let csv = Data("n,t\n1,M".utf8) + Data([0xFC]) + Data("ller\n".utf8)
        let mapping = try MappingStore.mapping("{ entity = Message; properties = { identifier = n; text = t; }; }")
        #expect(throws: InspectionError.self) { try store.take(csv, named: "a.csv", by: mapping) }
        #expect(try store.texts("Message", "identifier") == [])
        let declared =
            Data("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\(start)".utf8) + Data([0xFC]) + Data(end.utf8)
        #expect(try take(store, declared, "b.xml").counts.inserted == 1)
        #expect(try store.texts("Message", "text") == ["Müller"])
    }

    @Test("numbers beyond all, and keys that are there twice, are refused by record (WEB-06)")
    func numbers() throws {
        let store = try MappingStore()
        let text = """
            {"all": {"m": [{"n": 1, "t": "a", "p": 1e999}, {"n": 2, "n": 3, "t": "b"}, {"n": 4, "t": "c", "p": 1e-400},
            {"n": 99999999999999999999, "t": "d"}, {"n": 5, "t": "e", "p": 2}]}}
            """
        let stopped = try take(store, Data(text.utf8), "a.json")
        #expect(!stopped.isSaved && stopped.refusals.count >= 3, "\(stopped.refusals)")
        let skipped = try take(store, Data(text.utf8), "a.json", "errors = skip;")
        #expect(skipped.isSaved && skipped.refusals.contains { $0.contains("p") }, "\(skipped.refusals)")
        #expect(try store.texts("Message", "identifier").contains("5"))
        #expect(try !store.texts("Message", "identifier").contains("1"))
    }

    @Test("nesting of 100,000 levels is refused, in a record and around all (WEB-06, WEB-07)")
    func depth() throws {
        let store = try MappingStore()
        let open = String(repeating: "[", count: 100_000)
        let close = String(repeating: "]", count: 100_000)
        #expect(
            refusal(store, open + close, "a.json").contains("nested")
                || !refusal(store, open, "a.json").contains("saved"))
        let inside = "{\"all\": {\"m\": [{\"n\": 1, \"t\": \"a\", \"x\": \(open)\(close)}, {\"n\": 2, \"t\": \"b\"}]}}"
        #expect(refusal(store, inside, "a.json") != "saved")
        let elements = String(repeating: "<m>", count: 100_000) + String(repeating: "</m>", count: 100_000)
        #expect(refusal(store, "<all>\(elements)</all>", "a.xml") != "saved")
        #expect(try store.texts("Message", "identifier") == [])
    }

    @Test("entities that grow beyond measure are refused, and external ones are never opened (WEB-07)")
    func entities() throws {
        let store = try MappingStore()
        var laughs = "<?xml version=\"1.0\"?><!DOCTYPE all [<!ENTITY a0 \"ha\">"
        for number in 1...30 { laughs += "<!ENTITY a\(number) \"&a\(number - 1);&a\(number - 1);\">" }
        laughs += "]><all><m><n>1</n><t>&a30;</t></m></all>"
        #expect(refusal(store, laughs, "a.xml") != "saved")
        let secret = store.folder.url.appendingPathComponent("secret")
        try Data("secret".utf8).write(to: secret)
        let external = """
            <!DOCTYPE all [<!ENTITY x SYSTEM "\(secret.absoluteString)">]><all><m><n>1</n><t>a&x;</t></m></all>
            """
        let said = refusal(store, external, "b.xml")
        #expect(try !store.texts("Message", "text").contains { $0.contains("secret") }, "\(said)")
    }

    @Test("XML that is malformed at its end has nothing imported, with line and column (WEB-07)")
    func malformedEnd() throws {
        let store = try MappingStore()
        let records = (1...2_000).map { "<m><n>\($0)</n><t>a</t></m>\n" }.joined()
        let said = refusal(store, "<all>\n\(records)</al>", "a.xml")
        #expect(said.contains("a.xml:2002"), "\(said)")
        #expect(try store.texts("Message", "identifier") == [])
    }
}
