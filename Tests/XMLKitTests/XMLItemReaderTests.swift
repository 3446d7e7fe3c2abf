import Testing
import XMLKit

@Suite struct XMLItemReaderTests {
    /// The elements at some paths, of a document that comes in parts of a length.
    private func items(
        _ document: [UInt8], _ paths: String..., namespaces: [String: String] = [:], part: Int = 7
    ) throws -> [XMLItem] {
        let paths = paths.map { path in
            XMLItemPath(path.split(separator: ".").map { $0 == "*" ? .any : .name(String($0)) })
        }
        let reader = try XMLItemReader(paths: paths, namespaces: namespaces)
        var rest = document[...]
        var items: [XMLItem] = []
        while let item = try reader.next(more: { bytes in
            bytes += rest.prefix(part)
            rest = rest.dropFirst(part)
            return !rest.isEmpty
        }) {
            items.append(item)
        }
        return items
    }

    private func items(
        _ document: String, _ path: String, namespaces: [String: String] = [:], part: Int = 7
    ) throws -> [XMLItem] {
        try items(Array(document.utf8), path, namespaces: namespaces, part: part)
    }

    private func error(_ document: String, _ path: String = "a.b") -> XMLReadingError? {
        do {
            _ = try items(document, path)
            return nil
        } catch {
            return error as? XMLReadingError
        }
    }

    private static let weather = """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss xmlns:yweather="http://xml.weather.yahoo.com/ns/rss/1.0" version="2.0"><channel>
        <title>Weather</title>
        <item><title>Conditions</title>
        <yweather:forecast day="Wed" date="22 Feb 2012" low="31" high="39" text="Rain" code="11" />
        <yweather:forecast day="Thu" date="23 Feb 2012" low="32" high="40" text="Sun &amp; clouds"/>
        </item></channel></rss>
        """

    @Test("elements come in their order with attributes and qualified names (WEB-07)", arguments: [1, 7, 4_096])
    func qualifiedNames(part: Int) throws {
        let found = try items(Self.weather, "rss.channel.item.yweather:forecast", part: part)
        #expect(found.map(\.line) == [5, 6])
        #expect(found.map(\.node.name) == ["yweather:forecast", "yweather:forecast"])
        #expect(found[0].node.attributes.map(\.name) == ["day", "date", "low", "high", "text", "code"])
        #expect(found[1].node.attributes.map(\.value) == ["Thu", "23 Feb 2012", "32", "40", "Sun & clouds"])
    }

    @Test("a namespace is recognized by its URI whatever its prefix is (WEB-07)")
    func namespaces() throws {
        let document = "<feed xmlns='urn:a' xmlns:x='urn:b'><entry x:id='1'><x:c/></entry></feed>"
        let found = try items(document, "a:feed.a:entry", namespaces: ["a": "urn:a", "b": "urn:b"])
        #expect(found.map { $0.node.children.map(\.name) } == [["b:c"]])
        #expect(found[0].node.attributes.map(\.name) == ["b:id"])
    }

    @Test("text, CDATA sections and declared entities are joined")
    func joinedText() throws {
        let document = """
            <!DOCTYPE a [<!ENTITY who "you &amp; me"><!ENTITY both "[&who;]"><!ENTITY mark "<i>m</i>">]>
            <a><b>for &who;, <![CDATA[<raw>]]> &both;&#33;&mark;&mark;</b><b t="&both;"/></a>
            """
        let found = try items(document, "a.b", part: 3)
        #expect(found.map(\.node.text) == ["for you & me, <raw> [you & me]!", ""])
        #expect(found[0].node.children.map(\.text) == ["m", "m"])
        #expect(found[1].node.attributes.map(\.value) == ["[you & me]"])
    }

    @Test("elements around others that are handed out come after them, without them")
    func nestedItems() throws {
        let document = "<a><t>1</t><b><t>2</t></b><c><b><t>3</t></b></c><t>4</t></a>"
        let found = try items(Array(document.utf8), "a", "a.b")
        #expect(found.map(\.path) == [1, 0])
        #expect(found[0].node.children.map(\.text) == ["2"])
        #expect(found[1].node.children.map(\.name) == ["t", "c", "t"])
    }

    @Test("any element stands for a step, and other elements are passed over")
    func anyStep() throws {
        let document = "<a><x><b>1</b><c>2</c></x><b>3</b><y><b>4</b></y></a>"
        #expect(try items(document, "a.*.b").map(\.node.text) == ["1", "4"])
        #expect(try items(document, "b").isEmpty)
    }

    @Test("the encoding is that of the mark or the declaration")
    func encodings() throws {
        let text = "<?xml version='1.0' encoding='ISO-8859-1'?><a><b>caf\u{E9}</b></a>"
        let latin = text.unicodeScalars.map { UInt8($0.value) }
        #expect(try items(latin, "a.b").map(\.node.text) == ["café"])
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in "<a><b>π</b></a>".utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(try items(wide, "a.b", part: 5).map(\.node.text) == ["π"])
    }

    @Test("what is not well-formed has a line and a column, also at the end (WEB-07)")
    func malformed() {
        let early = error("<a>\n<b>1</b>\n<b>2</c></a>")
        #expect(early?.line == 3)
        #expect((early?.column ?? 0) > 5)
        #expect((error("<a>\n<b>1</b>\n")?.line ?? 0) >= 2)
        #expect(error("<a><b>1</b></a><a/>") != nil)
        #expect(error("<a><b>&nothing;</b></a>") != nil)
        #expect(error("") != nil)
        #expect(error("{\"a\": 1}") != nil)
        #expect(error("<a><b>1</b></a>\n") == nil)
    }

    @Test("entities that grow are refused where they are declared, and outside ones never opened")
    func boundedEntities() throws {
        let declarations = (1...5).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }
        let start = "<!DOCTYPE a [<!ENTITY e0 \"0123456789\">" + declarations.joined() + "]>"
        let grown = error(start + "<a><b>&e1;</b></a>")
        #expect(grown?.reason.contains("expands") == true)
        let many = error(
            "<!DOCTYPE a [<!ENTITY e \"\(String(repeating: "x", count: 50_000))\">]><a><b>"
                + String(repeating: "&e;", count: 1_000) + "</b></a>")
        #expect(many?.reason.contains("megabytes") == true)
        let inAttribute = error(
            "<!DOCTYPE a [<!ENTITY e \"\(String(repeating: "x", count: 50_000))\">]><a><b c=\""
                + String(repeating: "&e;", count: 1_000) + "\"/></a>")
        #expect(inAttribute?.reason.contains("megabytes") == true)
        let outside = "<!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/hostname\">]><a><b>[&f;]</b></a>"
        #expect(error(outside)?.reason.contains("'f'") == true)
        #expect(try items("<!DOCTYPE a SYSTEM \"file:///nowhere.dtd\"><a><b>1</b></a>", "a.b").count == 1)
    }

    @Test("a text of 12 megabytes is read, and depth is bounded")
    func largeTexts() throws {
        let text = String(repeating: "0123456789ab", count: 1 << 20)
        let found = try items("<a><b>\(text)</b><b><![CDATA[\(text)]]></b></a>", "a.b", part: 1 << 16)
        #expect(found.map(\.node.text.utf8.count) == [12 << 20, 12 << 20])
        let deep = String(repeating: "<c>", count: 100_000)
        #expect(error("<a><b>" + deep)?.reason.contains("levels") == true)
    }
}
