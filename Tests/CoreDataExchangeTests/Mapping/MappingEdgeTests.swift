import CoreData
import CoreDataExchange
import CoreDataWorkbench
import TestBasics
import Testing

/// What mappings make of documents that are unusual but right, or wrong in one place.
@Suite("Mappings at their edges") struct MappingEdgeTests {
    private static let message = """
        identifier = n; text = t; created = d; author = { from = u; properties = { handle = h; }; };
        pictures = { from = p; match = none; properties = { address = "."; }; };
        """

    private func take(_ store: MappingStore, _ document: String, _ rules: String = "") throws -> MappingStore.Outcome {
        try store.take(
            document, named: "a.json", by: "{ entity = Message; \(rules) properties = { \(Self.message) }; }")
    }

    @Test("a related object of a record that is refused is there for the next that names it, or not at all (WEB-06)")
    func relatedOfRefused() throws {
        let store = try MappingStore()
        let user = "\"u\": {\"h\": \"ann\"}"
        let document = """
            [{"n": 1, "t": "a", "d": "bad", \(user), "p": ["x"]}, {"n": 2, "t": "b", \(user)}, {"n": "y", "t": "c", "p": ["z"]}]
            """
        let outcome = try take(store, document, "errors = skip;")
        #expect(outcome.refusals.count == 2, "\(outcome.refusals)")
        #expect(try store.texts("Message", "identifier", "author.handle") == ["2|ann"])
        #expect(try store.texts("Picture", "address") == [])
    }

    @Test("an object that is kept or refused gets no related ones (WEB-06)", arguments: ["keep", "refuse"])
    func relatedOfKept(rule: String) throws {
        let store = try MappingStore()
        let document = "[{\"n\": 1, \"t\": \"a\", \"p\": [\"x\", \"y\"]}]"
        #expect(try take(store, document).counts.inserted == 3)
        _ = try take(store, document, "existing = \(rule); errors = skip;")
        #expect(try store.texts("Picture", "address") == ["x", "y"])
    }

    @Test("composed and decomposed keys are two objects (WEB-06)")
    func composedKeys() throws {
        let store = try MappingStore()
        let mapping =
            """
            { entity = Message; properties = { identifier = n; text = t;
              tags = { from = g; properties = { name = "."; }; }; }; }
            """
        let document = """
            [{"n": 1, "t": "a", "g": ["caf\\u00e9"]}, {"n": 2, "t": "b", "g": ["cafe\\u0301", "caf\\u00e9"]}]
            """
        let outcome = try store.take(document, named: "a.json", by: mapping)
        #expect(outcome.refusals == [])
        #expect(try store.texts("Tag", "name").count == 2)
        #expect(
            try store.read("Message", by: "identifier") { $0.map { ($0.value(forKey: "tags") as? NSSet)?.count } } == [
                1, 2,
            ])
    }

    @Test("null, blanks and the first of several paths with a value count as the guide says (WEB-06)")
    func absentValues() throws {
        let store = try MappingStore()
        let mapping = """
            { entity = Message; properties = { identifier = n; text = { from = (a, b); default = none; }; created = d;
              price = { from = p; decimal = ","; grouping = "."; }; isOpen = { from = o; missing = refuse; }; }; errors = skip; }
            """
        let document = """
            [{"n": 1, "a": null, "b": "bee", "d": " ", "p": "", "o": true}, {"n": 2, "p": 1.234, "o": 0},
            {"n": 3, "o": null}, {"n": 4}, {"zz": 1}, null, 7]
            """
        let outcome = try store.take(document, named: "a.json", by: mapping)
        #expect(outcome.refusals.count == 5, "\(outcome.refusals)")
        #expect(
            try store.texts("Message", "identifier", "text", "created", "price", "isOpen") == [
                "1|bee|nil|nil|1", "2|none|nil|1.234|0",
            ])
    }

    @Test("places may be numbers of elements, lie below others, and be the root of XML (WEB-06, WEB-07)")
    func places() throws {
        let bank = try MappingStore()
        let list = "{ at = \"1\"; entity = Message; properties = { identifier = n; text = t; }; }"
        #expect(
            try bank.take(
                "[{\"page\": 1}, [{\"n\": 1, \"t\": \"a\"}, {\"n\": 2, \"t\": \"b\"}]]", named: "a.json", by: list
            ).counts.inserted == 2)
        let below = try MappingStore()
        let mapping = """
            { records = ({ at = PLACE; entity = Person; properties = { handle = h; fullName = "profile.name"; }; },
              { at = "PLACE.profile.posts"; entity = Message; properties = { identifier = n; text = t; }; }); }
            """
        let json =
            "{\"user\": {\"h\": \"ann\", \"profile\": {\"name\": \"Ann\", \"posts\": [{\"n\": 1, \"t\": \"a\"}]}}}"
        let found = try below.take(json, named: "a.json", by: mapping.replacing("PLACE", with: "user"))
        #expect(found.refusals == [] && found.counts.inserted == 2)
        let xml = "<user><h>bob</h>x<profile><name>Bob</name><posts><n>2</n><t>b</t></posts></profile></user>"
        let other = try below.take(xml, named: "a.xml", by: mapping.replacing("PLACE", with: "user"))
        #expect(other.refusals == [] && other.counts.inserted == 2)
        #expect(try below.texts("Person", "handle", "fullName") == ["ann|Ann", "bob|Bob"])
        let root = try MappingStore()
        let whole = "{ entity = Message; properties = { identifier = \"@id\"; text = t; }; }"
        #expect(try root.take("<m id='5'><t>five</t></m>", named: "a.xml", by: whole).counts.inserted == 1)
    }

    @Test("a namespace of another address is not taken for the one that the prefix stands for (WEB-07)")
    func otherNamespace() throws {
        let store = try MappingStore()
        let mapping =
            "{ namespaces = { w = \"urn:w\"; }; at = \"all.w:m\"; entity = Message; properties = { identifier = n; text = t; }; }"
        let other = "<all xmlns:w=\"urn:other\"><w:m><n>1</n><t>a</t></w:m></all>"
        #expect(try store.take(other, named: "a.xml", by: mapping).counts.inserted == 0)
        let same = "<all xmlns:v=\"urn:w\"><v:m><n>1</n><t>a</t></v:m></all>"
        #expect(try store.take(same, named: "a.xml", by: mapping).counts.inserted == 1)
        #expect(throws: InspectionError.self) {
            try store.take("<!DOCTYPE a SYSTEM \"x.dtd\"><a>&eacute;</a>", named: "a.xml", by: mapping)
        }
    }

    @Test(
        "a mapping that could find nothing is refused before anything is read (WEB-06)",
        arguments: [
            "{ entity = Article; match = guid; properties = { title = t; }; }",
            "{ at = \"a.@b\"; entity = Article; properties = { title = t; }; }",
        ])
    func uselessMappings(text: String) throws {
        let store = try MappingStore()
        #expect(throws: InspectionError.self) { try store.take("[]", named: "a.json", by: text) }
    }

    @Test("several records of one line are refused by themselves, also where places nest (WEB-06)")
    func linesOfSeveralRecords() throws {
        let store = try MappingStore()
        let mapping = """
            { errors = skip; records = ({ at = user; entity = Person; properties = { handle = h; }; },
              { at = "user.post"; entity = Message; properties = { identifier = n; text = t;
                author = { from = by; create = NO; properties = { handle = "."; }; }; }; }); }
            """
        let document = """
            {"user": [{"h": "ann", "post": [{"n": 1, "t": "a", "by": "zoe"},
            {"n": 2, "t": "b"}]}, {"h": "bob"}]}
            """
        let outcome = try store.take(document, named: "a.json", by: mapping)
        #expect(outcome.refusals.count == 1, "\(outcome.refusals)")
        #expect(try store.texts("Person", "handle") == ["ann", "bob"])
        #expect(try store.texts("Message", "identifier") == ["2"])
    }

    @Test("odd entries of feeds do not refuse the feed (WEB-11)")
    func oddEntries() throws {
        let store = try MappingStore()
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><!-- <rss> --><entry><id>1</id><title>a</title><title>b</title>
            <link rel="alternate" href="https://a.test/1"/><link rel="alternate" href="https://a.test/2"/>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>one</p><p>two</p></div></content></entry></feed>
            """
        let file = store.folder.url.appendingPathComponent("odd")
        try Data(atom.utf8).write(to: file)
        let feed = try #require(try FeedFormat(ImportFile(file.path)))
        #expect(feed == .atom)
        let outcome = try store.take(
            Data(atom.utf8), named: "feed.atom", by: feed.mapping(for: store.entity("Article")))
        #expect(outcome.refusals == [])
        #expect(try store.texts("Article", "title", "url", "content") == ["a|https://a.test/1|one two"])
        try Data("{\"version\": \"https:\\/\\/jsonfeed.org\\/version\\/1\", \"items\": []}".utf8).write(to: file)
        #expect(try FeedFormat(ImportFile(file.path)) == .jsonfeed)
    }
}
