import CoreData
import CoreDataExchange
import CoreDataWorkbench
import TestBasics
import Testing

/// The ready-made mappings beside Python's `feedparser`, on the same documents.
@Suite(
    "Feeds beside feedparser",
    .enabled(if: Feedparser.isInstalled, "feedparser is not there, and PyPI cannot be reached to install it"))
struct FeedparserTests {
    private static let keys = [
        "identifier", "title", "link", "published", "updated", "summary", "content", "author", "categories", "picture",
        "enclosure",
    ]

    /// What both read differently, and why.
    private struct Difference: Equatable {
        let document: String
        let entry: String
        let key: String
        let ours: String?
        let theirs: String?
        let reason: String
    }

    private static let known = [
        Difference(
            document: "dates", entry: "cest", key: "published", ours: "2002-09-06T22:00:01Z",
            theirs: "2002-09-07T00:00:01Z", reason: "feedparser reads CEST as UTC; it is two hours ahead"),
        Difference(
            document: "dates", entry: "jst", key: "published", ours: "2002-09-06T15:00:01Z",
            theirs: "2002-09-07T00:00:01Z", reason: "feedparser reads JST as UTC; it is nine hours ahead"),
        Difference(
            document: "dates", entry: "none", key: "published", ours: "2002-09-07T00:00:01Z", theirs: nil,
            reason: "feedparser has no date without a zone; the mapping says that it is of UTC"),
        Difference(
            document: "namespaces", entry: "https://walks.test/2", key: "updated", ours: nil,
            theirs: "2002-09-08T08:00:00Z",
            reason: "feedparser takes dc:date for the last change; the mapping for the publication"),
        Difference(
            document: "rdf", entry: "https://rdf.test/1", key: "updated", ours: nil, theirs: "2004-01-02T03:04:05Z",
            reason: "feedparser takes dc:date for the last change; the mapping for the publication"),
        Difference(
            document: "repeated", entry: "two", key: "author", ours: "Ann, Bob", theirs: "Bob",
            reason: "feedparser keeps the last of repeated elements; the mapping joins them"),
    ]

    /// The entries of a document as the ready-made mapping reads them, in their order.
    private static func entries(of document: String) throws -> [[String: String]] {
        let store = try MappingStore(source: source)
        let file = store.folder.url.appendingPathComponent("feed.xml")
        try Data(document.utf8).write(to: file)
        let feed = try #require(try FeedFormat(ImportFile(file.path)))
        let outcome = try store.take(
            Data(document.utf8), named: "feed.xml", by: feed.mapping(for: store.entity("Entry")))
        #expect(outcome.refusals == [])
        return try store.read("Entry", by: "identifier") { all in
            all.map { entry in
                var values: [String: String] = [:]
                for key in keys {
                    switch entry.value(forKey: key) {
                    case let date as Date: values[key] = ISO8601DateFormatter().string(from: date)
                    case let text as String where !text.isEmpty: values[key] = text
                    default: break
                    }
                }
                return values
            }
        }
    }

    @Test(
        "entries are those of feedparser, but for known differences (WEB-11)", arguments: FeedDocuments.all.map(\.name))
    func sameEntries(name: String) throws {
        let text = try #require(FeedDocuments.all.first { $0.name == name }).text
        let theirs = try Feedparser.entries(of: text).sorted { $0["identifier"] ?? "" < $1["identifier"] ?? "" }
        let ours = try Self.entries(of: text).sorted { $0["identifier"] ?? "" < $1["identifier"] ?? "" }
        #expect(ours.count == theirs.count && !ours.isEmpty)
        var found: [Difference] = []
        for (mine, other) in zip(ours, theirs) {
            for key in Self.keys where mine[key] != other[key] {
                let entry = mine["identifier"] ?? ""
                let known = Self.known.first { $0.document == name && $0.entry == entry && $0.key == key }
                found.append(
                    Difference(
                        document: name, entry: entry, key: key, ours: mine[key], theirs: other[key],
                        reason: known?.reason ?? "not known"))
            }
        }
        let expected = Self.known.filter { $0.document == name }
        #expect(found.count == expected.count && found.allSatisfy(expected.contains), "\(found)")
    }

    @Test("elements of other vocabularies are found by a mapping as feedparser has them (WEB-06)")
    func places() throws {
        let text = try #require(FeedDocuments.all.first { $0.name == "namespaces" }).text
        let store = try MappingStore(source: Self.source)
        let outcome = try store.take(
            text, named: "walks.rss",
            by: """
                { format = xml; at = "rss.channel.item"; entity = Entry; match = identifier;
                  namespaces = { g = "http://www.w3.org/2003/01/geo/wgs84_pos#"; m = "http://search.yahoo.com/mrss/"; };
                  properties = { identifier = guid; summary = "g:lat"; content = "g:long"; picture = "m:thumbnail.@url"; }; }
                """)
        #expect(outcome.refusals == [])
        let theirs = try Feedparser.entries(of: text).map { entry in
            ["identifier", "latitude", "longitude"].map { entry[$0] ?? "nil" }.joined(separator: "|")
        }
        #expect(try store.texts("Entry", "identifier", "summary", "content") == theirs.sorted())
        #expect(theirs.contains("walk-1|53.5413|9.9841"))
    }

    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Entry" representedClassName="Entry" syncable="YES">
        \(keys.map { key in
            let type = ["published", "updated"].contains(key) ? "Date\" usesScalarValueType=\"NO" : "String"
            return "<attribute name=\"\(key)\" optional=\"YES\" attributeType=\"\(type)\"/>"
        }.joined(separator: "\n"))
        </entity></model>
        """
}
