import CoreData
import CoreDataExchange
import CoreDataWorkbench
import TestBasics
import Testing

@Suite("Tables of other delimiters and encodings") struct TableTests {
    private static let mapping = """
        { format = csv; entity = Message; properties = { identifier = Nummer; text = Text;
            price = { from = Preis; decimal = ","; grouping = "."; }; }; }
        """

    /// A table of two records, one of which has the delimiter, a quote and a line break in a field.
    private static func table(_ delimiter: String, lineEnd: String = "\n") -> String {
        [
            ["Nummer", "Text", "Preis"],
            ["1", "\"M\u{FC}ller\(delimiter) \"\"S\u{F6}hne\"\"\nBerlin\"", "\"1.234,50\""],
            ["2", "\u{20AC} & \u{153}uvre", "\"0,99\""],
        ].map { $0.joined(separator: delimiter) + lineEnd }.joined()
    }

    private static func texts(_ delimiter: String) -> [String] {
        ["1|M\u{FC}ller\(delimiter) \"S\u{F6}hne\"\nBerlin|1234.5", "2|\u{20AC} & \u{153}uvre|0.99"]
    }

    @Test(
        "a table delimited by commas, semicolons, tabs or bars is read without saying which (WEB-06)",
        arguments: [",", ";", "\t", "|"], ["\n", "\r\n"])
    func delimiters(delimiter: String, lineEnd: String) throws {
        let store = try MappingStore()
        let outcome = try store.take(
            Self.table(delimiter, lineEnd: lineEnd), named: "a.csv", by: Self.mapping)
        #expect(outcome.counts.inserted == 2, "\(outcome)")
        #expect(try store.texts("Message", "identifier", "text", "price") == Self.texts(delimiter))
    }

    @Test("a first line of sep= and a delimiter is not a title, and a mapping's delimiter counts first (WEB-06)")
    func saidDelimiters() throws {
        let store = try MappingStore()
        let said = try store.take("\u{FEFF}sep=^\r\n" + Self.table("^"), named: "a.csv", by: Self.mapping)
        #expect(said.counts.inserted == 2)
        #expect(try store.texts("Message", "identifier", "text", "price") == Self.texts("^"))
        let title = "a;b;c"
        let byMapping = try store.take(
            "\(title),Nummer\nx;y,3\n", named: "b.csv",
            by:
                "{ format = csv; delimiter = \",\"; entity = Message; properties = { identifier = Nummer; text = \"\(title)\"; }; }"
        )
        #expect(byMapping.counts.inserted == 1)
        #expect(try store.texts("Message", "identifier", "text").last == "3|x;y")
    }

    @Test(
        "a table in another encoding is read by the mapping's name for it, UTF-16 by its mark alone (WEB-06)",
        arguments: [
            ("windows-1252", String.Encoding.windowsCP1252), ("UTF-16LE", .utf16LittleEndian), ("", .utf16),
            ("UTF-8", .utf8),
        ])
    func encodings(name: String, encoding: String.Encoding) throws {
        let store = try MappingStore()
        // More than a block of the reader, so that characters of several bytes are cut.
        let filling = (3..<9_000).map { "\($0);\u{20AC} number \($0);\"\($0),5\"\n" }.joined()
        let data = try #require((Self.table(";") + filling).data(using: encoding))
        let words = name.isEmpty ? "" : "encoding = \"\(name)\"; "
        let mapping = try MappingStore.mapping(Self.mapping.replacing("format = csv;", with: "format = csv; \(words)"))
        let outcome = try store.take(data, named: "a.csv", by: mapping)
        #expect(outcome.counts.inserted == 8_999, "\(outcome)")
        let texts = try store.texts("Message", "identifier", "text", "price")
        #expect(Array(texts.prefix(2)) == Self.texts(";"))
        #expect(texts.last == "8999|\u{20AC} number 8999|8999.5")
    }

    @Test("a letter that an encoding holds back at the end of a file is read (WEB-06)")
    func lastLetters() throws {
        let store = try MappingStore()
        // The letter Alef, which a point could follow.
        let mapping = try MappingStore.mapping(
            Self.mapping.replacing("format = csv;", with: "format = csv; encoding = \"windows-1255\";"))
        let outcome = try store.take(
            Data("Nummer,Preis,Text\n1,2,a".utf8) + [0xE0], named: "a.csv", by: mapping)
        #expect(outcome.counts.inserted == 1)
        #expect(try store.texts("Message", "text") == ["a\u{5D0}"])
    }

    @Test(
        "what is not of the encoding, or of none that is known, is refused with its place, and nothing is imported (WEB-06)"
    )
    func wrongEncodings() throws {
        let store = try MappingStore()
        let latin = try #require(
            Self.table(";").replacing("\u{20AC}", with: "E").replacing("\u{153}", with: "oe").data(using: .isoLatin1))
        func cause(_ data: Data, _ words: String, named name: String = "a.csv") throws -> String {
            let mapping = try MappingStore.mapping(Self.mapping.replacing("format = csv;", with: words))
            let error = #expect(throws: InspectionError.self) { try store.take(data, named: name, by: mapping) }
            return error?.description ?? ""
        }
        #expect(try cause(latin, "format = csv;").contains("a.csv:3: this is not a table: a field is not UTF-8"))
        #expect(try cause(latin, "format = csv; encoding = \"UTF-8\";").contains("no text in UTF-8"))
        #expect(try cause(latin, "format = csv; encoding = \"latin-99\";").contains("there is no encoding 'latin-99'"))
        #expect(try cause(latin, "format = csv; encoding = \"UTF-8//IGNORE\";").contains("there is no encoding"))
        #expect(
            try cause(Data("<a/>".utf8), "format = xml; encoding = \"UTF-8\";", named: "a.xml").contains(
                "names its encoding itself"))
        let cut = try #require("Nummer;Text\n1;x".data(using: .utf16LittleEndian)).dropLast()
        #expect(try cause(Data(cut), "format = csv; encoding = \"UTF-16LE\";").contains("no text in UTF-16LE"))
        #expect(try store.texts("Message", "identifier").isEmpty)
        #expect(throws: InspectionError.self) {
            try MappingStore.mapping("{ delimiter = \";;\"; entity = A; properties = { a = b; }; }")
        }
    }
}
