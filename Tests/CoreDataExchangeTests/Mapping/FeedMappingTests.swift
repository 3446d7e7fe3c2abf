import CoreData
import CoreDataExchange
import CoreDataWorkbench
import TestBasics
import Testing

@Suite("Importing feeds") struct FeedMappingTests {
    private static let rss = """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel><title>Channel</title><link>https://a.test/</link>
        <item><title>One &amp; two</title><link>https://a.test/1</link><guid isPermaLink="false">tag:1</guid>
        <pubDate>Sat, 07 Sep 2002 00:00:01 CEST</pubDate><category>x</category><category domain="d">y</category>
        <description>short</description><c:encoded><![CDATA[<p>long</p>]]></c:encoded><dc:creator>Ann</dc:creator></item>
        <item><title>No zone</title><link>https://a.test/2</link><pubDate>7 Sep 02 10:30</pubDate></item>
        </channel></rss>
        """
    private static let atom = """
        <f:feed xmlns:f="http://www.w3.org/2005/Atom"><f:title>Feed</f:title>
        <f:entry><f:title type="html">One &amp;amp; two</f:title><f:id>urn:1</f:id>
        <f:link rel="self" href="https://a.test/self"/><f:link rel="alternate" href="https://a.test/1"/>
        <f:updated>2002-09-07T00:00:01.500+02:00</f:updated><f:author><f:name>Ann</f:name></f:author>
        <f:author><f:name>Bob</f:name></f:author><f:category term="x"/><f:category term="y" label="Y"/>
        <f:content type="html">&lt;p>long&lt;/p></f:content></f:entry>
        <f:entry><f:title>Two</f:title><f:id>urn:2</f:id><f:link href="https://a.test/2"/>
        <f:published>2002-09-07T10:30:00Z</f:published></f:entry></f:feed>
        """
    private static let json = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "Feed", "items": [
        {"id": "1", "title": "One", "url": "https://a.test/1", "content_html": "<p>long</p>", "tags": ["x", "y"],
         "date_published": "2002-09-07T00:00:01+02:00", "authors": [{"name": "Ann"}, {"name": "Bob"}]},
        {"id": 2, "content_text": "text", "external_url": "https://a.test/2"}]}
        """

    private func take(_ text: String, _ name: String) throws -> (MappingStore, MappingStore.Outcome) {
        let store = try MappingStore()
        let file = store.folder.url.appendingPathComponent("feed")
        try Data(text.utf8).write(to: file)
        let feed = try #require(try FeedFormat(ImportFile(file.path)))
        let mapping = try feed.mapping(for: store.entity("Article"))
        let first = try store.take(Data(text.utf8), named: name, by: mapping)
        let again = try store.take(Data(text.utf8), named: name, by: mapping)
        #expect(again.counts.unchanged == first.counts.inserted && again.counts.inserted == 0)
        return (store, first)
    }

    private static let keys = ["guid", "title", "url", "published", "author", "tags", "content"]

    private func articles(_ store: MappingStore) throws -> [String] {
        try store.read("Article", by: "guid") { all in
            all.map { article in
                Self.keys.map { key in
                    let value = article.value(forKey: key)
                    return (value as? Date).map { ISO8601DateFormatter().string(from: $0) } ?? value.map { "\($0)" }
                        ?? "-"
                }.joined(separator: "|")
            }
        }
    }

    @Test("entries of RSS become objects of an entity with the usual names, each once (WEB-11)")
    func rssEntries() throws {
        let (store, outcome) = try take(Self.rss, "feed.rss")
        #expect(outcome.refusals == [])
        #expect(
            try articles(store) == [
                "https://a.test/2|No zone|https://a.test/2|2002-09-07T10:30:00Z|-|-|-",
                "tag:1|One & two|https://a.test/1|2002-09-06T22:00:01Z|Ann|x, y|<p>long</p>",
            ])
    }

    @Test("entries of Atom become objects whatever prefix the feed has (WEB-11)")
    func atomEntries() throws {
        let (store, outcome) = try take(Self.atom, "feed.atom")
        #expect(outcome.refusals == [])
        #expect(
            try articles(store) == [
                "urn:1|One &amp; two|https://a.test/1|2002-09-06T22:00:01Z|Ann, Bob|x, y|<p>long</p>",
                "urn:2|Two|https://a.test/2|2002-09-07T10:30:00Z|-|-|-",
            ])
    }

    @Test("relative addresses become absolute by the bases around them, and others stay as they are (WEB-11)")
    func relativeAddresses() throws {
        let (store, outcome) = try take(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://base.test/blog/">
            <entry><id>1</id><link href="../up?a=1"/></entry>
            <entry xml:base="deep/"><id>2</id><link href="one"/></entry>
            <entry xml:base="http://[bad"><id>3</id><link href="two"/></entry>
            <entry xml:base="https://other.test/x/"><id>4</id><link href=" //third.test/y "/></entry>
            <entry><id>5</id><link href="mailto:ann@base.test"/></entry></feed>
            """, "feed.atom")
        #expect(outcome.refusals == [])
        #expect(
            try articles(store).map { $0.split(separator: "|")[2] } == [
                "https://base.test/up?a=1", "https://base.test/blog/deep/one", "https://base.test/blog/two",
                "https://third.test/y", "mailto:ann@base.test",
            ])
    }

    @Test("entries of JSON Feed become objects (WEB-11)")
    func jsonEntries() throws {
        let (store, outcome) = try take(Self.json, "feed.json")
        #expect(outcome.refusals == [])
        #expect(
            try articles(store) == [
                "1|One|https://a.test/1|2002-09-06T22:00:01Z|Ann, Bob|x, y|<p>long</p>",
                "2|-|https://a.test/2|-|-|-|text",
            ])
    }

    @Test("an entity without any of the usual names is refused, and so is another document (WEB-11)")
    func noFeed() throws {
        let store = try MappingStore()
        let entity = NSEntityDescription()
        entity.name = "Weight"
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = ("kilograms", .doubleAttributeType)
        entity.properties = [attribute]
        #expect(throws: InspectionError.self) { try FeedFormat.rss.mapping(for: entity) }
        let file = store.folder.url.appendingPathComponent("none.xml")
        try Data("<html/>".utf8).write(to: file)
        #expect(try FeedFormat(ImportFile(file.path)) == nil)
    }
}
