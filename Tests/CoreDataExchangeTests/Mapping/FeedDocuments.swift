/// Feeds as servers send them, which are read by the ready-made mappings and by `feedparser`.
enum FeedDocuments {
    /// The documents by name.
    static let all: [(name: String, text: String)] = [
        ("namespaces", namespaces), ("dates", dates), ("markup", markup), ("rdf", rdf), ("atom", atom),
        ("relative", relative),
        ("repeated", repeated),
    ]

    /// RSS 2.0 with elements of other vocabularies.
    private static let namespaces = """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"
          xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"
          xmlns:atom="http://www.w3.org/2005/Atom">
        <channel><title>Walks</title><link>https://walks.test/</link><description>Walks</description>
        <atom:link href="https://walks.test/feed" rel="self" type="application/rss+xml"/>
        <item><title>Along the Elbe</title><link>https://walks.test/1</link><guid isPermaLink="false">walk-1</guid>
          <pubDate>Sat, 07 Sep 2002 09:42:31 GMT</pubDate><dc:creator>Ann Otto</dc:creator>
          <category>river</category><category>city</category><description>A short walk.</description>
          <content:encoded><![CDATA[<p>A <b>long</b> walk &amp; more.</p>]]></content:encoded>
          <media:thumbnail url="https://walks.test/1.jpg" width="75" height="50"/>
          <geo:lat>53.5413</geo:lat><geo:long>9.9841</geo:long></item>
        <item><title>Below the hill</title><link>https://walks.test/2</link><guid>https://walks.test/2</guid>
          <dc:date>2002-09-08T10:00:00+02:00</dc:date><itunes:author>Bob</itunes:author>
          <itunes:image href="https://walks.test/2.png"/>
          <enclosure url="https://walks.test/2.mp3" length="1234" type="audio/mpeg"/><description/></item>
        <item><title>Без названия — «тест»</title><link>https://walks.test/3?a=1&amp;b=2</link><guid isPermaLink="false">walk-3</guid>
          <pubDate>Sun, 08 Sep 2002 23:59:59 +0530</pubDate>
          <media:content url="https://walks.test/3.jpg" medium="image" type="image/jpeg"/></item>
        </channel></rss>
        """

    /// RSS 2.0 with dates in many forms.
    private static let dates = """
        <rss version="2.0"><channel><title>Dates</title>
        \(item("zone", "Sat, 07 Sep 2002 00:00:01 GMT"))\(item("offset", "Sat, 07 Sep 2002 00:00:01 -0800"))
        \(item("pst", "Sat, 07 Sep 2002 00:00:01 PST"))\(item("cest", "Sat, 07 Sep 2002 00:00:01 CEST"))
        \(item("jst", "Sat, 07 Sep 2002 00:00:01 JST"))\(item("none", "Sat, 07 Sep 2002 00:00:01"))
        \(item("short", "7 Sep 02 10:30 GMT"))\(item("iso", "2002-09-07T00:00:01Z"))
        \(item("year", "Thu, 29 Feb 1996 12:00:00 +0000"))
        </channel></rss>
        """

    private static func item(_ name: String, _ date: String) -> String {
        "<item><title>\(name)</title><guid isPermaLink=\"false\">\(name)</guid><pubDate>\(date)</pubDate></item>"
    }

    /// RSS 2.0 with markup, sections of character data and references.
    private static let markup = """
        <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY house "Otto &amp; Co">]>
        <rss version="2.0"><channel><title>Markup</title>
        <item><guid isPermaLink="false">entities</guid><title>Tom &amp;amp; Jerry &lt;b&gt;bold&lt;/b&gt;</title></item>
        <item><guid isPermaLink="false">cdata</guid><title><![CDATA[Tom & Jerry <b>bold</b>]]></title>
          <description>one <![CDATA[<i>two</i>]]> three</description></item>
        <item><guid isPermaLink="false">numbers</guid><title>caf&#233; &#x2014; na&#xEF;ve</title></item>
        <item><guid isPermaLink="false">declared</guid><title>&house;</title></item>
        <item><guid isPermaLink="false">lines</guid><title>
            One
            title </title></item>
        </channel></rss>
        """

    /// RSS 1.0.
    private static let rdf = """
        <?xml version="1.0"?>
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
        <channel rdf:about="https://rdf.test/"><title>RDF</title><link>https://rdf.test/</link>
          <description>RSS 1.0</description><items><rdf:Seq><rdf:li rdf:resource="https://rdf.test/1"/></rdf:Seq></items>
        </channel>
        <item rdf:about="https://rdf.test/1"><title>First</title><link>https://rdf.test/1</link>
          <description>The first.</description><dc:creator>Ann</dc:creator><dc:date>2004-01-02T03:04:05Z</dc:date>
          <dc:subject>news</dc:subject><content:encoded><![CDATA[<p>The first.</p>]]></content:encoded></item>
        <item rdf:about="https://rdf.test/2"><title>Second</title><link>https://rdf.test/2</link></item>
        </rdf:RDF>
        """

    /// Atom with texts of all types.
    private static let atom = """
        <?xml version="1.0" encoding="utf-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
        <title>Atom</title><id>urn:feed</id><updated>2003-12-13T18:30:02Z</updated>
        <entry><title>Plain &lt;title&gt;</title><id>urn:1</id><link href="https://atom.test/1"/>
          <link rel="enclosure" type="audio/mpeg" href="https://atom.test/1.mp3" length="7"/>
          <published>2003-12-13T18:30:02.250Z</published><updated>2003-12-14T18:30:02+01:00</updated>
          <author><name>Ann</name></author><category term="x"/><category term="y" label="Y"/><summary>Short.</summary>
          <content type="html">&lt;p&gt;Long &amp;amp; more.&lt;/p&gt;</content></entry>
        <entry><title type="html">An &lt;em&gt;HTML&lt;/em&gt; title</title><id>urn:2</id>
          <link rel="alternate" type="text/html" href="https://atom.test/2"/><link rel="self" href="https://atom.test/self"/>
          <updated>2003-12-15T00:00:00Z</updated><media:thumbnail url="https://atom.test/2.jpg"/></entry>
        <entry><title type="text">Third</title><id>urn:3</id><updated>2003-12-16T00:00:00-08:00</updated>
          <link href="https://atom.test/3"/><summary type="html">&lt;i&gt;s&lt;/i&gt;</summary></entry>
        </feed>
        """

    /// Atom and its addresses relative to a base.
    private static let relative = """
        <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://base.test/blog/"><title>Relative</title><id>urn:r</id>
        <updated>2003-12-13T18:30:02Z</updated>
        <entry><title>Up</title><id>urn:up</id><link href="../up"/><updated>2003-12-13T18:30:02Z</updated></entry>
        <entry xml:base="deep/"><title>Deep</title><id>urn:deep</id><link href="one"/>
          <updated>2003-12-13T18:30:02Z</updated></entry>
        <entry><title>Whole</title><id>urn:whole</id><link href="https://other.test/x"/>
          <updated>2003-12-13T18:30:02Z</updated></entry></feed>
        """

    /// RSS 2.0 with elements of other vocabularies several times.
    private static let repeated = """
        <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Repeated</title>
        <item><guid isPermaLink="false">two</guid><title>Two authors</title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator></item>
        <item><guid isPermaLink="false">three</guid><title>Three</title><category>a</category><category>b</category><category>c</category></item>
        </channel></rss>
        """
}
