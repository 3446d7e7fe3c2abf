import CoreData
import CoreDataExchange
import CoreDataWorkbench
import TestBasics
import Testing

/// Values of documents in unusual but right forms.
@Suite("Values in mappings") struct MappingValueTests {
    @Test(
        "dates of ISO 8601 are read in all their forms (WEB-06)",
        arguments: [
            ("20120222T093000Z", "2012-02-22T09:30:00Z"), ("20120222", "2012-02-22T00:00:00Z"),
            ("2012-02-22t09:30:00z", "2012-02-22T09:30:00Z"), ("2012-02-22T09:30:00+01", "2012-02-22T08:30:00Z"),
            ("2012-02-22T09:30:00+0100", "2012-02-22T08:30:00Z"), ("20120222T0930-0130", "2012-02-22T11:00:00Z"),
            ("2012-06-30T23:59:60Z", "2012-07-01T00:00:00Z"), ("20120222T093000", "2012-02-22T09:30:00Z"),
            ("2012-02-22T09:30:00.12345678901234Z", "2012-02-22T09:30:00Z"),
            ("2012-0222", "-"), ("20120222T09:3000", "-"), ("2012-02-30T00:00:00Z", "-"), ("20120222T256000Z", "-"),
            ("2012-02-22T09:30:61Z", "-"), ("2012-02-22T09:30:00+1", "-"),
        ])
    func isoForms(text: String, expected: String) throws {
        let store = try MappingStore()
        let mapping = "{ entity = Message; properties = { identifier = n; text = n; created = d; }; }"
        let outcome = try store.take("[{\"n\": 1, \"d\": \"\(text)\"}]", named: "a.json", by: mapping)
        #expect(outcome.isSaved == (expected != "-"), "\(outcome)")
        #expect(try store.texts("Message", "created") == (expected == "-" ? [] : [expected]))
    }

    @Test("numbers are read as people of a locale write them (WEB-06, L10N-05)")
    func localNumbers() throws {
        let store = try MappingStore()
        func take(_ locale: String, _ text: String) throws -> MappingStore.Outcome {
            let mapping =
                "{ entity = Message; properties = { identifier = n; text = n; price = { from = p; locale = \(locale); }; }; }"
            return try store.take("[{\"n\": 1, \"p\": \(text)}]", named: "a.json", by: mapping)
        }
        for (locale, text, expected) in [
            ("de", "\"1.234,5\"", "1234.5"), ("en", "\"1,234.5\"", "1234.5"), ("de_CH", "\"1’234.5\"", "1234.5"),
            ("ar_EG", "\"٣٫٥\"", "3.5"), ("hi_IN", "\"12,34,567\"", "1234567"), ("de", "7.25", "7.25"),
        ] {
            #expect(try take(locale, text).isSaved, "\(locale) \(text)")
            #expect(try store.texts("Message", "price") == [expected])
        }
        for (locale, text) in [("en", "\"1.234,5\""), ("de", "\"12abc\""), ("de", "\"1.23\"")] {
            #expect(try !take(locale, text).isSaved, "\(locale) \(text)")
        }
        #expect(throws: InspectionError.self) { try take("nowhere", "\"1\"") }
        let both = "{ entity = Message; properties = { price = { from = p; locale = de; decimal = \",\"; }; }; }"
        #expect(throws: InspectionError.self) { try store.take("[]", named: "a.json", by: both) }
    }

    @Test("related objects that must not be there are refused, but not those that the import has made (WEB-06)")
    func manyRefusedLabels() throws {
        let store = try MappingStore()
        let mapping = """
            { entity = Message; properties = { identifier = n; text = n;
              tags = { from = g; existing = refuse; properties = { name = "."; }; }; }; }
            """
        let count = 100_050
        let file = store.folder.url.appendingPathComponent("many.jsonl")
        var text = ""
        for number in 0..<(count / 50) {
            let tags = (0..<50).map { "\"t\(number * 50 + $0)\"" }.joined(separator: ",")
            text += "{\"n\": \(number), \"g\": [\(tags), \"t0\"]}\n"
        }
        try Data(text.utf8).write(to: file)
        let outcome = try store.take(Data(text.utf8), named: "many.jsonl", by: MappingStore.mapping(mapping))
        #expect(outcome.isSaved && outcome.refusals.isEmpty, "\(outcome.refusals.prefix(2))")
        #expect(outcome.counts.inserted >= count + count / 50)
        let again = try store.take("[{\"n\": -1, \"g\": [\"t7\"]}]", named: "b.json", by: mapping)
        #expect(!again.isSaved && again.refusals.count == 1)
    }

    @Test("entries of feeds are found by their link where the constraint is of other attributes (WEB-11)")
    func constrainedElsewhere() throws {
        let model = try NSManagedObjectModel(source: Data(MappingStore.source.utf8))
        let entity = try #require(model.entitiesByName["Article"])
        let copy = try #require(entity.copy() as? NSEntityDescription)
        copy.uniquenessConstraints = [["tags", "author"]]
        #expect(try FeedFormat.rss.mapping(for: copy).records[0].match == .constraints)
        copy.uniquenessConstraints = [["guid"]]
        #expect(try FeedFormat.rss.mapping(for: copy).records[0].match == .constraints)
        let other = NSAttributeDescription()
        (other.name, other.attributeType) = ("code", .stringAttributeType)
        copy.properties += [other]
        copy.uniquenessConstraints = [["code"]]
        #expect(try FeedFormat.rss.mapping(for: copy).records[0].match == .keys(["guid"]))
    }
}
