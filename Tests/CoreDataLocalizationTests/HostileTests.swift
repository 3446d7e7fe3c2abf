import Foundation
import TestBasics
import Testing

@testable import CoreDataLocalization

/// Files that are made to harm: each must be read or refused, and nothing may trap or take long.
@Suite struct HostileTests {
    @Test("lists that are nested deeper than the limit are refused, also of a megabyte (L10N-01)")
    func deepNesting() {
        for count in [65, 60_000] {
            for element in ["array", "dict><key>a</key"] {
                let close = element == "array" ? "</array>" : "</dict>"
                let xml =
                    "<plist>" + String(repeating: "<\(element)>", count: count) + String(repeating: close, count: count)
                    + "</plist>"
                let error = #expect(throws: StringTableError.self) { try StringsdictReader.entries(Data(xml.utf8)) }
                #expect(error?.code == .tooLarge)
            }
        }
        let braces = String(repeating: "{", count: 500_000)
        #expect(throws: StringTableError.self) { try StringsFile(Data(braces.utf8)) }
        for json in [String(repeating: "[", count: 500_000), String(repeating: "{\"a\":", count: 200_000)] {
            #expect(throws: StringTableError.self) { try CatalogReader.tables(Data(json.utf8)) }
        }
        var variations = "{\"stringUnit\":{\"state\":\"translated\",\"value\":\"x\"}}"
        for _ in 0..<20 { variations = "{\"variations\":{\"plural\":{\"other\":\(variations)}}}" }
        let catalog = "{\"sourceLanguage\":\"en\",\"strings\":{\"k\":{\"localizations\":{\"en\":\(variations)}}}}"
        #expect(throws: StringTableError.self) { try CatalogReader.tables(Data(catalog.utf8)) }
    }

    @Test("binary lists with circles, shared objects, and wrong offsets are refused (L10N-01)")
    func binaryLists() throws {
        // Object 0 is an array of itself; object 0 is an array of two times object 1, which is one of two times object 2, …
        let circle = Self.binary([[0xA1, 0]])
        #expect(throws: StringTableError.self) { try BinaryListReader.list(circle) }
        let shared = Self.binary((0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]])
        #expect(throws: StringTableError.self) { try BinaryListReader.list(shared) }
        let good = try PropertyListSerialization.data(
            fromPropertyList: ["key": "text", "other": ["é": [1, 2.5, true]]], format: .binary, options: 0)
        _ = try BinaryListReader.list(good)
        var refused = 0
        for place in good.indices {
            for value in [UInt8(0), 1, 0x7F, 0x80, 0xFF, good[place] ^ 0x10] {
                var damaged = good
                damaged[place] = value
                do { _ = try BinaryListReader.list(damaged) } catch { refused += 1 }
            }
            do { _ = try BinaryListReader.list(good.prefix(place)) } catch { refused += 1 }
        }
        #expect(refused > good.count)
    }

    @Test("each change of one byte of a file is read or refused, and each beginning of it (L10N-01)")
    func damagedTexts() {
        let strings = Data(#"/* c */ "a" = "\U0041\n'é"; { b = 'c'; } // d"#.utf8)
        let list = Data(Samples.stringsdict.utf8.prefix(900))
        let catalog = Data(Samples.catalog.utf8)
        var count = 0
        for (data, read) in [
            (strings, { _ = try StringsFile($0) }), (list, { _ = try StringsdictReader.entries($0) }),
            (catalog, { _ = try CatalogReader.tables($0) }),
        ] as [(Data, (Data) throws -> Void)] {
            for place in stride(from: 0, to: data.count, by: data.count > 1_000 ? 13 : 1) {
                for value in [UInt8(0), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: "&"), 0xFF] {
                    var damaged = data
                    damaged[place] = value
                    do { try read(damaged) } catch { count += error is StringTableError ? 1 : -1_000_000 }
                }
                do { try read(data.prefix(place)) } catch { count += error is StringTableError ? 1 : -1_000_000 }
            }
        }
        #expect(count > 1_000)
    }

    @Test("variables that contain each other are refused when the file is read (L10N-01)")
    func circles() throws {
        for (one, two) in [("%#@a@", "x"), ("%#@b@", "%#@a@"), ("%#@b@ %#@b@", "%#@b@")] {
            let error = #expect(throws: StringTableError.self) {
                try StringsdictReader.entries(Data(Self.stringsdict(["a": one, "b": two]).utf8))
            }
            #expect(error?.code == .circularVariables)
        }
        let chain = Dictionary(
            (0..<500).map { ("v\($0)", $0 == 499 ? "x" : "%#@v\($0 + 1)@") }, uniquingKeysWith: { $1 })
        let error = #expect(throws: StringTableError.self) {
            try StringsdictReader.entries(Data(Self.stringsdict(chain, first: "v0").utf8))
        }
        #expect(error?.code == .circularVariables)
        let missing = #expect(throws: StringTableError.self) {
            try StringsdictReader.entries(Data(Self.stringsdict(["a": "%#@none@"]).utf8))
        }
        #expect(missing?.reason.contains("'none'") == true)
    }

    @Test("variables that double with each level end with a bounded text (L10N-01)")
    func doubling() throws {
        let levels = Dictionary(
            (0..<16).map { level in
                ("v\(level)", level == 15 ? "xxxxxxxxxx" : String(repeating: "%#@v\(level + 1)@", count: 10))
            },
            uniquingKeysWith: { $1 })
        let entries = try StringsdictReader.entries(Data(Self.stringsdict(levels, first: "v0").utf8))
        var tables = StringTables()
        tables.add(entries, language: "en")
        let text = tables.text("key", languages: [.english], arguments: [1])
        #expect(text.count <= TextExpansion.longest + 1)
        tables.add(["long": TextEntry(.text(String(repeating: "%1$@", count: 20_000)))], language: "en")
        let argument = TextArgument(String(repeating: "é", count: 10_000))
        #expect(tables.text("long", languages: [.english], arguments: [argument]).count == TextExpansion.longest + 1)
        tables.circle()
        #expect(tables.text("circle", languages: [.english], arguments: [1]).count < 20_000)
    }

    @Test("files of a megabyte are read in one pass: time grows with the size, not with its square (L10N-01)")
    func largeFiles() throws {
        let one = Self.seconds { _ = try? StringsFile(Data(Self.entries(400).utf8)) }
        let four = Self.seconds { _ = try? StringsFile(Data(Self.entries(3_200).utf8)) }
        #expect(try StringsFile(Data(Self.entries(3_200).utf8)).texts.count == 3_200)
        #expect(four < one * 30)
        let spaces = String(repeating: " ", count: 1_000_000)
        #expect(try StringsFile(Data((spaces + "a = b;").utf8)).texts == ["a": "b"])
        let percent = String(repeating: "%", count: 200_001)
        #expect(FormatString(percent).parts == [.text(String(repeating: "%", count: 100_001))])
        let open = String(repeating: "%#@", count: 20_000)
        #expect(!FormatString(open).parts.isEmpty)
    }

    @Test("a file with a document type of its own, or unknown entities, is refused (L10N-01)")
    func entities() throws {
        let bomb = "<!DOCTYPE plist [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><plist><string>&b;</string></plist>"
        for source in [
            bomb, "<plist><string>&a;</string></plist>", "<plist><string>&#xD800;</string></plist>", "<plist><string>&",
        ] {
            #expect(throws: StringTableError.self) { try XMLListReader.list(source) }
        }
        #expect(try XMLListReader.list("<plist><string>&#65;&lt;<![CDATA[<&]]></string></plist>") == .text("A<<&"))
    }

    @Test("errors show keys in one line and not at length (L10N-01)")
    func shownKeys() {
        let key = "a\n\u{7}\u{1B}[31m" + String(repeating: "k", count: 5_000)
        let shown = StringTableError.shown(key)
        #expect(shown.count < 100 && !shown.contains("\n") && !shown.contains("\u{1B}"))
    }

    private static func entries(_ count: Int) -> String {
        (0..<count).map { "/* Comment \($0) */\n\"key \($0)\" = \"A text for the key \($0)\";\n\n" }.joined()
    }

    private static func seconds(_ body: () -> Void) -> Double {
        // Of the processor, and the least of three runs, since other tests run at the same time.
        func used() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
        }
        return (0..<3).map { _ in
            let start = used()
            body()
            return used() - start
        }.min() ?? 0
    }

    private static func stringsdict(_ variables: [String: String], first: String = "a") -> String {
        let inner = variables.map { name, text in
            """
            <key>\(name)</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
            <key>NSStringFormatValueTypeKey</key><string>d</string><key>other</key><string>\(text)</string></dict>
            """
        }.joined()
        return """
            <plist><dict><key>key</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@\(first)@</string>\(inner)</dict></dict></plist>
            """
    }

    /// A binary property list of objects with references of one byte.
    private static func binary(_ objects: [[UInt8]]) -> Data {
        var data = Data("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(data.count))
            data.append(contentsOf: object)
        }
        let table = UInt8(data.count)
        data.append(contentsOf: offsets)
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 1, 1])
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)])
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, 0])
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, table])
        return data
    }
}

extension StringTables {
    /// Adds an entry in a circle, which no file can have.
    fileprivate mutating func circle() {
        let forms = TextVariants.plural([.other: .text("%#@a@ %#@a@")])
        add(["circle": TextEntry(.text("%#@a@"), variables: ["a": .init(variants: forms)])], language: "en")
    }
}
