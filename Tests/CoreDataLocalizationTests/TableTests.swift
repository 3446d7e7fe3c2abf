import Foundation
import TestBasics
import Testing

@testable import CoreDataLocalization

@Suite struct TableTests {
    private let french = [LanguageTag("fr")].compactMap { $0 }

    @Test("a key of Localizable.strings gives its text, a missing key the key (L10N-01)")
    func strings() throws {
        var tables = StringTables()
        try tables.add(strings: Data(#""helloWorld" = "Bonjour, Monde!";"#.utf8), language: "fr")
        #expect(tables.text("helloWorld", languages: french) == "Bonjour, Monde!")
        #expect(tables.text("missing", languages: french) == "missing")
        #expect(tables.text("missing", languages: french, default: "There is none") == "There is none")
    }

    @Test("comments, escapes, words without quotes and braces are read (L10N-01)")
    func syntax() throws {
        let source = #"""
            /* First /* note */ "a\"b" = "\U00e9\n\tx\\\101"; // "no" = "no";
            // Second
            'single' = 'It\'s';
            bare.key-1 = word_2/x;
            /* alone */ "flag";
            "pair" = "\Ud83d\ude00 😀"; "" = "";
            """#
        let file = try StringsFile(Data(source.utf8))
        #expect(file.texts["a\"b"] == "é\n\tx\\A" && file.entries[0].comment == "First /* note")
        #expect(file.texts["single"] == "It's" && file.entries[1].comment == "Second" && file.entries[1].line == 3)
        #expect(file.texts["bare.key-1"] == "word_2/x" && file.entries[2].comment == nil)
        #expect(file.texts["flag"] == "flag" && file.texts["pair"] == "😀 😀" && file.texts[""] == "")
        #expect(try StringsFile(Data("{ a = b; }".utf8)).texts == ["a": "b"])
        #expect(try StringsFile(Data()).entries.isEmpty)
        #expect(try StringsFile(Data(file.source.utf8)).texts == file.texts)
    }

    @Test("UTF-8 and UTF-16 with and without marks are read, other bytes refused (L10N-01)")
    func encodings() throws {
        let text = "\"é\" = \"日本\";"
        var files = [Data(text.utf8), Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)]
        for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian] {
            let data = try #require(text.data(using: encoding))
            files.append(Data(encoding == .utf16BigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]) + data)
            files.append(data)
        }
        for file in files { #expect(try StringsFile(file).texts == ["é": "日本"]) }
        for bytes: [UInt8] in [[0x22, 0xE9, 0x22], [0xFE, 0xFF, 0xD8, 0], [0xFF, 0xFE, 0x22]] {
            #expect(throws: StringTableError.self) { try StringsFile(Data(bytes)) }
        }
    }

    @Test(
        "an error of a strings file says line and column (L10N-01)",
        arguments: [
            ("\"a\" = \"b\"\n\"c\" = \"d\";", 2, 1), ("\"a\" = \"b\";\n  \"c\" \"d\";", 2, 7), ("\"a\" = ;", 1, 7),
            ("\n/* open", 2, 1), ("\"a\" = \"b", 1, 7), ("{ \"a\" = \"b\";", 1, 1), ("\"a\" = \"\\Uzz\";", 1, 8),
            ("{a=b;} x", 1, 8), ("\"a\" = \"\\ud800\";", 1, 7), ("= \"b\";", 1, 1), ("a = (1, 2);", 1, 5),
        ])
    func places(source: String, line: Int, column: Int) {
        let error = #expect(throws: StringTableError.self) { try StringsFile(Data(source.utf8)) }
        #expect(error?.line == line && error?.column == column, "\(error?.description ?? "")")
    }

    @Test("of a key that is there twice the last counts, and the file names it (L10N-01)")
    func duplicates() throws {
        let file = try StringsFile(Data("a = b;\na = c;\nd = e;".utf8))
        #expect(file.texts == ["a": "c", "d": "e"])
        #expect(file.duplicates.map(\.key) == ["a"] && file.duplicates.map(\.line) == [2])
    }

    @Test("compiled files, which are binary property lists, and lists in XML are read (L10N-01)")
    func compiled() throws {
        let texts = ["key": "Wert", "é": "日本", "long": String(repeating: "x", count: 300)]
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: texts, format: format, options: 0)
            #expect(try StringsFile(data).texts == texts)
        }
        let other = try PropertyListSerialization.data(fromPropertyList: ["a": [1]], format: .binary, options: 0)
        #expect(throws: StringTableError.self) { try StringsFile(other) }
    }

    @Test("a missing translation is English, whatever is wanted (L10N-01)")
    func fallback() throws {
        var tables = StringTables()
        tables.add(["a": "A", "b": "B", "c": "C"], language: "en")
        tables.add(["a": "Ä", "b": "ß"], language: "de")
        tables.add(["a": "Ö"], language: "de-AT")
        let wanted = try #require(LanguageTag("de-AT"))
        #expect(["a", "b", "c", "d"].map { tables.text($0, languages: [wanted]) } == ["Ö", "ß", "C", "d"])
        let two = [try #require(LanguageTag("fr")), wanted]
        #expect(tables.text("a", languages: two) == "Ö" && tables.text("a", languages: []) == "A")
        #expect(tables.text("a", table: "Other", languages: two) == "a")
        #expect(tables.languages == ["de", "de-AT", "en"] && tables.keys(language: "de-AT") == ["a"])
        var german = StringTables(developmentLanguage: "de")
        german.add(["a": "Ä"], language: "de")
        #expect(german.text("a", languages: french) == "Ä")
    }

    @Test("a folder of lproj folders and a catalog are read together (L10N-01, L10N-02)")
    func folder() throws {
        let folder = try TemporaryFolder()
        try folder.write("\"a\" = \"Hello\";", to: "en.lproj/Localizable.strings")
        try folder.write("\"a\" = \"你好\";", to: "zh-hans.lproj/Localizable.strings")
        try folder.write("\"only\" = \"base\";", to: "Base.lproj/Localizable.strings")
        try folder.write("\"x\" = \"Autre\";", to: "fr.lproj/Other.strings")
        try folder.write(Samples.catalog, to: "Files.xcstrings")
        try folder.write("not read", to: "notes.txt")
        let tables = try StringTables(folder: folder.url)
        #expect(tables.text("a", languages: [LanguageTag("zh-Hans-CN")].compactMap { $0 }) == "你好")
        #expect(tables.text("a", languages: french) == "Hello" && tables.text("only", languages: french) == "base")
        #expect(tables.text("x", table: "Other", languages: french) == "Autre")
        #expect(tables.tables == ["Files", "Localizable", "Other"])
        try folder.write("\"a\" = ", to: "fr.lproj/Localizable.strings")
        let error = #expect(throws: StringTableError.self) { try StringTables(folder: folder.url) }
        #expect(error?.description.hasPrefix("fr.lproj/Localizable.strings:1:") == true)
        #expect(throws: StringTableError.self) { try StringTables(folder: folder.url.appendingPathComponent("none")) }
    }
}

extension TemporaryFolder {
    /// Writes a text file, and makes the folders that it is in.
    func write(_ text: String, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
