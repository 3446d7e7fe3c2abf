import Foundation
import Testing

@testable import CoreDataLocalization

@Suite struct ExtractionTests {
    @Test("texts become a strings file with comments, sorted by key (L10N-03)")
    func file() throws {
        var extraction = StringExtraction()
        extraction.add(ExtractedText("Save", place: "A.swift:1"))
        extraction.add(ExtractedText("Delete", comment: "A button"))
        extraction.add(ExtractedText("Delete", comment: "A menu item"))
        extraction.add(ExtractedText("%@ of %lld", comment: "Progress"))
        extraction.add(ExtractedText("key", text: "100%% of %d", table: "Other"))
        #expect(
            extraction.file().source == """
                /* Progress */
                "%@ of %lld" = "%1$@ of %2$lld";

                /* A button
                   A menu item */
                "Delete" = "Delete";

                /* No comment provided by engineer. */
                "Save" = "Save";

                """)
        #expect(extraction.tables == ["Localizable", "Other"] && extraction.conflicts().map(\.key) == ["Delete"])
        #expect(try StringsFile(Data(extraction.file("Other").source.utf8)).texts == ["key": "100%% of %d"])
        #expect(extraction.file("None").entries.isEmpty)
    }

    @Test("a merge keeps translations, adds new keys and marks stale ones, once (L10N-03)")
    func merge() throws {
        var extraction = StringExtraction()
        extraction.add(ExtractedText("Save", comment: "Button"))
        extraction.add(ExtractedText("New"))
        let old = try StringsFile(
            Data("/* Old */\n\"Gone\" = \"Weg\";\n\n\"Save\" = \"Sichern\";\n\"Save\" = \"Speichern\";".utf8))
        let (file, added, stale) = extraction.merged(with: old)
        #expect(added == ["New"] && stale == ["Gone"])
        #expect(file.texts == ["Gone": "Weg", "Save": "Speichern", "New": "New"] && file.duplicates.isEmpty)
        #expect(
            file.entries[0].comment == "Old\n   Stale: no source has this key." && file.entries[1].comment == "Button")
        let again = try StringsFile(Data(file.source.utf8))
        #expect(extraction.merged(with: again).file.source == file.source)
        extraction.add(ExtractedText("Gone", comment: "Back"))
        #expect(extraction.merged(with: again).file.entries[0].comment == "Back")
        #expect(extraction.merged(with: again).stale.isEmpty)
    }

    @Test("the texts of a property list are found at any depth, in XML and binary (L10N-03)")
    func propertyLists() throws {
        let list: [String: Any] = [
            "title": "Heroes", "model": "Hero.momd",
            "lists": [["title": "By Name", "tabs": [["title": "All", "icon": "a"]]]],
            "label": ["title": "Inner"], "text": "",
        ]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            var extraction = StringExtraction()
            try extraction.add(
                propertyList: PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0),
                file: "Application.plist")
            #expect(Set(extraction.file().texts.keys) == ["Heroes", "By Name", "All", "Inner"])
            let all = extraction.file().entries.first { $0.key == "All" }
            #expect(all?.comment == "Application.plist, lists.0.tabs.0.title")
        }
        var extraction = StringExtraction()
        let error = #expect(throws: StringTableError.self) {
            try extraction.add(propertyList: Data("<plist><dict>".utf8), file: "Broken.plist")
        }
        #expect(error?.description.hasPrefix("Broken.plist:1:") == true)
    }

    @Test(
        "the names of a model are extracted with the keys of localizationDictionary, and read back as one (L10N-03, L10N-04)"
    )
    func models() throws {
        var extraction = StringExtraction()
        extraction.add(entities: [("Hero", ["name", "powers"])], table: "SuperDBModel")
        let file = extraction.file("SuperDBModel")
        #expect(Set(file.texts.keys) == ["Entity/Hero", "Property/name/Entity/Hero", "Property/powers/Entity/Hero"])
        var tables = StringTables()
        tables.add(file.texts.mapValues { TextEntry(.text($0)) }, language: "en", table: "SuperDBModel")
        tables.add(
            ["Entity/Hero": "Held", "ErrorString/is required": "fehlt", "other": "x"], language: "de",
            table: "SuperDBModel")
        let german = [try #require(LanguageTag("de"))]
        #expect(
            tables.modelTexts(table: "SuperDBModel", languages: german) == [
                "Entity/Hero": "Held", "Property/name/Entity/Hero": "name", "Property/powers/Entity/Hero": "powers",
                "ErrorString/is required": "fehlt",
            ])
        #expect(tables.modelTexts(table: "SuperDBModel", languages: [.english])["Entity/Hero"] == "Hero")
        #expect(tables.modelTexts(table: "SuperDBModel", languages: [.english])["ErrorString/is required"] == nil)
    }

    @Test("a comment that would end early, and keys with quotes, are written so that they are read back (L10N-03)")
    func escapes() throws {
        var extraction = StringExtraction()
        let key = "a\"b\\c\n\u{1}é😀\u{7F}"
        extraction.add(ExtractedText(key, comment: "ends */ here"))
        let file = try StringsFile(Data(extraction.file().source.utf8))
        #expect(file.texts == [key: key] && file.entries.first?.comment == "ends * / here")
    }
}
