import CoreData
import CoreDataExchange
import CoreDataWorkbench
import TestBasics
import Testing

@Suite("Importing by mappings") struct MappingTests {
    /// The text form of property lists that GNUstep and OpenStep have.
    private static let messages = """
        { at = "statuses"; entity = Message; properties = {
            identifier = "id_str"; text = "text"; created = { from = created_at; date = "EEE MMM dd HH:mm:ss Z yyyy"; };
            author = { from = user; properties = { handle = screen_name; fullName = name; }; };
            tags = { from = "entities.hashtags"; properties = { name = text; }; };
            pictures = { from = "entities.media"; match = none; properties = { address = media_url; }; };
        }; }
        """

    private static func status(_ id: Int, _ text: String, by name: String, tags: String..., pictures: String...)
        -> String
    {
        let tags = tags.map { "{\"text\": \"\($0)\"}" }.joined(separator: ", ")
        let pictures = pictures.map { "{\"media_url\": \"\($0)\"}" }.joined(separator: ", ")
        return """
            {"id": 1e3, "id_str": "\(id)", "text": "\(text)", "created_at": "Tue Feb 21 10:20:30 +0100 2012",
             "user": {"screen_name": "\(name)", "name": "\(name.uppercased())", "followers": [1, 2]},
             "entities": {"hashtags": [\(tags)], "media": [\(pictures)]}}
            """
    }

    @Test("a document of JSON becomes objects and those they are related to, each once (WEB-06)")
    func relatedObjects() throws {
        let store = try MappingStore()
        let document = """
            {"meta": {"count": 3, "statuses": "no"}, "statuses": [
            \(Self.status(1, "one", by: "ann", tags: "a", "b", pictures: "z.png", "a.png")),
            \(Self.status(2, "two", by: "bob", tags: "b")), \(Self.status(3, "three", by: "ann"))], "more": []}
            """
        let outcome = try store.take(document, named: "a.json", by: Self.messages)
        #expect(outcome.isSaved && outcome.refusals == [])
        #expect(outcome.counts.inserted == 9)
        #expect(
            try store.texts("Message", "identifier", "text", "author.fullName", "tags.name", "created") == [
                "1|one|ANN|a+b|2012-02-21T09:20:30Z", "2|two|BOB|b|2012-02-21T09:20:30Z",
                "3|three|ANN||2012-02-21T09:20:30Z",
            ])
        #expect(try store.texts("Person", "handle", "messages.identifier") == ["ann|1+3", "bob|2"])
        let pictures = try store.read("Message", by: "identifier") { all in
            (all.first?.value(forKey: "pictures") as? NSOrderedSet)?.array.map {
                ($0 as? NSManagedObject)?.value(forKey: "address")
            }
        }
        #expect(pictures as? [String] == ["z.png", "a.png"])
    }

    @Test(
        "the same document again changes nothing but what was made without a key, and a changed one only what changed (WEB-06)"
    )
    func secondImport() throws {
        let store = try MappingStore()
        func document(_ text: String, _ name: String) -> String {
            "{\"statuses\": [\(Self.status(1, text, by: "ann", tags: "a")), \(Self.status(2, "two", by: name))]}"
        }
        #expect(try store.take(document("one", "ann"), named: "a.json", by: Self.messages).counts.inserted == 4)
        let again = try store.take(document("one", "ann"), named: "a.json", by: Self.messages)
        #expect(again.counts.inserted == 0 && again.counts.updated == 0 && again.counts.unchanged == 4)
        let changed = try store.take(document("other", "cy"), named: "a.json", by: Self.messages)
        #expect(changed.counts.inserted == 1 && changed.counts.updated == 2)
        #expect(try store.texts("Message", "identifier", "text", "author.handle") == ["1|other|ann", "2|two|cy"])
        let dry = try store.take(document("third", "dan"), named: "a.json", by: Self.messages, mode: .dryRun)
        #expect(!dry.isSaved && dry.counts.updated == 2 && dry.counts.inserted == 1)
        #expect(try store.texts("Person", "handle").count == 2)
    }

    @Test("an object that several records name with other values is one, with the last of them (WEB-06)")
    func renamedRelatedObject() throws {
        let store = try MappingStore()
        let statuses = (1...5).map { Self.status($0, "t\($0)", by: $0 % 2 == 0 ? "ann" : "bob", tags: "a") }
        let document = statuses.joined(separator: ",").replacing("\"ANN\"", with: "\"Ann\"", maxReplacements: 1)
        let outcome = try store.take("{\"statuses\": [\(document)]}", named: "a.json", by: Self.messages)
        #expect(outcome.refusals == [] && outcome.counts.inserted == 8)
        #expect(
            try store.texts("Person", "handle", "fullName", "messages.identifier") == ["ann|ANN|2+4", "bob|BOB|1+3+5"])
    }

    @Test("the weather's forecasts become four objects with numbers and dates (WEB-07, SAMPLE-19)")
    func forecasts() throws {
        let store = try MappingStore()
        let days = [("Wed", "22", 31, 39), ("Thu", "23", 32, 40), ("Fri", "24", 27, 35), ("Sat", "25", 21, 33)]
        let elements = days.map { day, date, low, high in
            "<yweather:forecast day=\"\(day)\" date=\"\(date) Feb 2012\" low=\"\(low)\" high=\"\(high)\" text=\"Sun &amp; rain\"/>"
        }
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss xmlns:yweather="http://xml.weather.yahoo.com/ns/rss/1.0"><channel><title>T</title><item>
            \(elements.joined(separator: "\n"))
            </item></channel></rss>
            """
        let mapping = """
            { namespaces = { w = "http://xml.weather.yahoo.com/ns/rss/1.0"; }; at = "rss.channel.item.w:forecast";
              entity = Forecast; match = date; properties = {
                date = { from = "@date"; date = "dd MMM yyyy"; zone = "America/New_York"; };
                low = "@low"; high = "@high"; text = "@text"; }; }
            """
        let outcome = try store.take(document, named: "weather.xml", by: mapping)
        #expect(outcome.refusals == [] && outcome.counts.inserted == 4)
        #expect(
            try store.texts("Forecast", "date", "low", "high", "text") == [
                "2012-02-22T05:00:00Z|31|39|Sun & rain", "2012-02-23T05:00:00Z|32|40|Sun & rain",
                "2012-02-24T05:00:00Z|27|35|Sun & rain", "2012-02-25T05:00:00Z|21|33|Sun & rain",
            ])
        #expect(try store.take(document, named: "weather.xml", by: mapping).counts.unchanged == 4)
    }

    @Test("texts become numbers, truths and words as the mapping says, and come back to the last character (WEB-06)")
    func conversions() throws {
        let store = try MappingStore()
        let mapping = """
            { entity = Message; properties = { identifier = n; price = { from = p; decimal = ","; grouping = "."; };
              isOpen = { from = o; true = yes; false = (no, never); }; text = { from = t; words = { a = Anton; "*" = Other; }; };
              tags = { from = list; properties = { name = "."; }; }; }; }
            """
        let document = """
            [{"n": "1", "p": "1.234.567,89", "o": "yes", "t": "a", "list": ["x", "y"]},
             {"n": 2, "p": "-0,5", "o": "never", "t": "b", "list": null}, {"n": "3", "p": null, "t": "c"}]
            """
        let outcome = try store.take(document, named: "a.json", by: mapping)
        #expect(outcome.refusals == [])
        #expect(
            try store.texts("Message", "identifier", "price", "isOpen", "text", "tags.name") == [
                "1|1234567.89|1|Anton|x+y", "2|-0.5|0|Other|", "3|nil|nil|Other|",
            ])
        for wrong in ["1.2345", "1,5x", "12.34,5", "1,2,3", ",5", "1.234.56"] {
            let document = "[{\"n\": 9, \"p\": \"\(wrong)\", \"t\": \"a\"}]"
            let refused = try store.take(document, named: "b.json", by: mapping)
            #expect(!refused.isSaved && refused.refusals.count == 1, "\(wrong)")
            #expect(refused.refusals.first?.contains("price (p)") == true, "\(refused.refusals)")
        }
    }

    @Test("a record that cannot be read is refused by itself, and the others follow the mapping's rule (WEB-06)")
    func refusedRecords() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let document = """
            [{"n": 1, "t": "a"}, {"n": 2, "n": 3, "t": "b"}, {"n": 1e999, "t": "c"}, {"n": "x", "t": "d"},
            {"n": 5, "t": \(deep)}, {"n": 6}, 7, {"n": 8, "t": "h"}]
            """
        let properties = "properties = { identifier = n; text = { from = t; missing = refuse; }; };"
        let stop = try MappingStore()
        let none = try stop.take(document, named: "a.json", by: "{ entity = Message; \(properties) }")
        #expect(!none.isSaved)
        #expect(try stop.texts("Message", "identifier") == [])
        let skip = try MappingStore()
        let some = try skip.take(document, named: "a.json", by: "{ entity = Message; errors = skip; \(properties) }")
        #expect(some.isSaved && some.refusals.count == 6, "\(some.refusals)")
        #expect(try skip.texts("Message", "identifier", "text") == ["1|a", "8|h"])
        // But for the folder they are the same.
        #expect(some.refusals.map(\.count) == none.refusals.map(\.count))
        #expect(some.refusals.map { String($0.prefix(1)) } == ["1", "1", "1", "2", "2", "2"])
        #expect(some.refusals.contains { $0.contains("n: ") })
    }

    @Test(
        "objects that are there are kept, updated or refused, and others made or refused, as the mapping says (WEB-06)")
    func existingObjects() throws {
        let store = try MappingStore()
        func take(_ rule: String, _ text: String, _ id: Int = 1) throws -> MappingStore.Outcome {
            try store.take(
                "{\"n\": \(id), \"t\": \"\(text)\"}", named: "a.jsonl",
                by: "{ entity = Message; \(rule) properties = { identifier = n; text = t; }; }")
        }
        #expect(try take("", "first").counts.inserted == 1)
        #expect(try take("existing = keep;", "second").counts.unchanged == 1)
        #expect(try store.texts("Message", "text") == ["first"])
        #expect(try take("existing = refuse;", "third").refusals.count == 1)
        #expect(try take("existing = update;", "fourth").counts.updated == 1)
        #expect(try take("create = NO;", "fifth", 2).refusals.count == 1)
        #expect(try take("create = NO;", "sixth", 1).counts.updated == 1)
        #expect(try store.texts("Message", "identifier", "text") == ["1|sixth"])
    }

    @Test("records at several places, around others too, are distinguished, and lead to each other (WEB-06, WEB-07)")
    func severalPlaces() throws {
        let mapping = """
            { records = (
                { at = "PLACEuser"; entity = Person; properties = { handle = ATid; fullName = name; }; },
                { at = "PLACEuser.post"; entity = Message; unknown = refuse;
                  properties = { identifier = ATid; text = t; author = { from = ATby; properties = { handle = "."; }; }; }; }
            ); }
            """
        let json = """
            {"user": [{"id": "ann", "post": [{"id": 1, "t": "one", "by": "ann"}, {"id": 2, "t": "two", "by": "bob"}],
             "name": "Ann"}, {"id": "bob", "name": "Bob", "post": {"id": 3, "t": "three", "by": "bob"}}]}
            """
        let xml = """
            <all><user id="ann"><post id="1" by="ann"><t>one</t></post><post id="2" by="bob"><t>two</t></post>
            <name>Ann</name></user><user id="bob"><name>Bob</name><post id="3" by="bob"><t>three</t></post></user></all>
            """
        for (document, name, place, attribute) in [(json, "a.json", "", ""), (xml, "a.xml", "all.", "@")] {
            let store = try MappingStore()
            let mapping = mapping.replacingOccurrences(of: "PLACE", with: place)
                .replacingOccurrences(of: "= AT", with: "= \"\(attribute)").replacingOccurrences(
                    of: "id;", with: "id\";"
                )
                .replacingOccurrences(of: "by;", with: "by\";")
            let outcome = try store.take(document, named: name, by: mapping)
            #expect(outcome.refusals == [] && outcome.counts.inserted == 5, "\(name): \(outcome)")
            #expect(
                try store.texts("Person", "handle", "fullName", "messages.identifier") == ["ann|Ann|1", "bob|Bob|2+3"])
        }
    }

    @Test("a document that is not of its form is refused with the line, and nothing is saved (WEB-06, WEB-07)")
    func wrongDocuments() throws {
        let store = try MappingStore()
        let mapping = "{ at = \"a.b\"; entity = Message; properties = { identifier = n; text = t; }; }"
        func place(_ document: String, _ name: String) -> String? {
            do {
                _ = try store.take(document, named: name, by: mapping)
                return nil
            } catch {
                return "\(error)".components(separatedBy: "/").last
            }
        }
        #expect(place("<html>\n<p>Sorry</p>", "a.json")?.hasPrefix("a.json:1: ") == true)
        #expect(place("{\"a\": {\"b\": [{\"n\": 1, \"t\": \"x\"},\n{\"n\": 2", "a.json")?.contains("at line 2") == true)
        #expect(place("{\"a\": {\"b\": [{\"n\": 1, \"t\": \"x\"}]}\n", "a.json")?.hasPrefix("a.json:") == true)
        #expect(place("<a><b><n>1</n><t>x</t></b>\n<b></a>", "a.xml")?.hasPrefix("a.xml:2") == true)
        #expect(try store.texts("Message", "identifier") == [])
    }

    @Test(
        "a wrong mapping is refused with the place (WEB-06)",
        arguments: [
            ("{ entity = Message; properties = { text = t; }; macth = none; }", "macth"),
            ("{ entity = Massage; properties = { text = t; }; }", "Massage"),
            ("{ entity = Message; properties = { txt = t; }; }", "txt"),
            ("{ entity = Message; properties = { author = t; }; }", "author"),
            ("{ entity = Message; properties = { text = { from = t; match = none; }; }; }", "text"),
            ("{ entity = Message; properties = { created = { from = t; date = \"QQ\"; }; }; }", "date"),
            ("{ entity = Message; properties = { text = \"a..b\"; }; }", "a..b"),
            ("{ entity = Message; errors = sometimes; properties = { text = t; }; }", "stop, skip"),
            ("{ properties = { text = t; }; }", "entity"), ("{ entity = Message; }", "properties"),
            ("(1)", "dictionary"),
            ("<html>", "property list"),
        ])
    func wrongMappings(text: String, expected: String) throws {
        let store = try MappingStore()
        let error = #expect(throws: InspectionError.self) { try store.take("[]", named: "a.json", by: text) }
        #expect(error.map { "\($0)".contains(expected) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test("compact JSON of texts is as short as it can be (WEB-06)")
    func compactText() {
        let list = JSONValue.array(["orange", "apple", "cherry", "pear"].map { .string($0) })
        #expect(JSONWriter.line(list) == "[\"orange\",\"apple\",\"cherry\",\"pear\"]")
    }
}
