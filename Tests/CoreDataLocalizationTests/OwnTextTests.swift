import Foundation
import Testing

@testable import CoreDataLocalization

@Suite struct OwnTextTests {
    @Test("Done is Fertig in German, and the buttons are in all four languages (L10N-01)")
    func buttons() throws {
        let expected = ["en": "Done", "de": "Fertig", "fr": "Terminé", "ar": "تم", "ja": "Done"]
        for (language, text) in expected {
            #expect(OwnTexts.interface("Done", languages: [try #require(LanguageTag(language))]) == text)
        }
        let german = [try #require(LanguageTag("de-AT"))]
        #expect(OwnTexts.interface("Progress", languages: german, arguments: [3, 1_200]) == "3 von 1.200 erledigt")
        #expect(OwnTexts.interface("Objects", languages: german, arguments: [1]) == "1 Objekt")
    }

    @Test("the tables of all languages have the same keys, and texts with the same arguments (L10N-01)")
    func complete() throws {
        for (english, forms, other) in [
            (OwnTexts.englishInterface, OwnTexts.englishInterfaceForms, Self.interfaces),
            (OwnTexts.englishValidation, OwnTexts.englishValidationForms, Self.validations),
        ] {
            let own = try StringsFile(Data(english.utf8))
            #expect(own.duplicates.isEmpty && own.entries.count > 20)
            for (source, otherForms) in other {
                let file = try StringsFile(Data(source.utf8))
                #expect(file.duplicates.isEmpty && Set(file.texts.keys) == Set(own.texts.keys))
                #expect(Set(otherForms.keys) == Set(forms.keys))
                for (key, text) in file.texts where key != "rule.noneLeft" {
                    // A translation may leave an argument out, but not invent one.
                    #expect(Self.positions(text).isSubset(of: Self.positions(own.texts[key] ?? "")), "\(key)")
                }
            }
        }
    }

    @Test("plural texts have the forms that their language has (L10N-01)")
    func forms() throws {
        for (language, entries) in [
            ("ar", OwnTexts.arabicInterfaceForms), ("ar", OwnTexts.arabicValidationForms),
            ("de", OwnTexts.germanInterfaceForms), ("fr", OwnTexts.frenchValidationForms),
        ] {
            let categories = Set(PluralRules(for: try #require(LanguageTag(language))).categories)
            for (key, entry) in entries {
                guard case .plural(let forms) = entry.variants else {
                    Issue.record("\(key) has no forms")
                    continue
                }
                #expect(Set(forms.keys).isSubset(of: categories) && forms[.other] != nil, "\(language) \(key)")
                if language == "ar" { #expect(Set(forms.keys) == categories, "\(key)") }
            }
        }
    }

    @Test(
        "a validation error has its texts in the language of the run (L10N-01)",
        arguments: [
            ("en", "'name' of entity 'Hero' is shorter than the model allows (at least 3 characters)."),
            ("de", "„name“ der Entität „Hero“ ist kürzer, als das Modell erlaubt (mindestens 3 Zeichen)."),
            ("fr", "« name » de l’entité « Hero » est plus court que ne le permet le modèle (au moins 3 caractères)."),
            ("ar", "«name» في الكيان «Hero» أقصر مما يسمح به النموذج (3 أحرف على الأقل)."),
            ("ja", "'name' of entity 'Hero' is shorter than the model allows (at least 3 characters)."),
        ])
    func validation(language: String, expected: String) throws {
        let choice = try LanguageChoice(option: language, environment: [:])
        let text = ValidationText(
            code: 1_670, key: "name", entity: "Hero", rule: .minimumLength(3), value: .text("X"), choice: choice)
        #expect(text.description == expected)
        #expect(!text.description.contains("X") && text.reason.contains("X"))
    }

    @Test("every error code and rule has texts, with numbers and dates of the locale (L10N-01)")
    func allCodes() throws {
        let choice = try LanguageChoice(option: "de-DE", environment: [:])
        for code in [
            1_550, 1_551, 1_560, 1_570, 1_580, 1_590, 1_600, 1_610, 1_620, 1_630, 1_640, 1_650, 1_660, 1_670, 1_680,
            1_690,
        ] {
            let text = ValidationText(code: code, key: "a", entity: "B", rule: .value, choice: choice)
            #expect(
                !text.description.isEmpty && text.description != "\(code)" && !text.suggestion.hasPrefix("suggestion"))
            #expect(!text.description.contains("%") && !text.reason.contains("%"))
        }
        let number = ValidationText(
            code: 1_610, key: "age", entity: "Hero", rule: .maximum(1_000.5), value: .number(2_000), choice: choice)
        #expect(number.description.hasSuffix("(höchstens 1.000,5)."))
        #expect(number.reason == "Die Regel für „age“ lautet: höchstens 1.000,5. Der Wert ist: 2.000.")
        let date = ValidationText(
            code: 1_640, key: "born", entity: "Hero", rule: .earliest(Date(timeIntervalSince1970: 0)), choice: choice)
        #expect(date.description.contains("nicht vor dem 01.01.1970, 00:00"))
        let unknown = ValidationText(code: 99_999, key: "a", entity: "B", rule: .other("a > b"), choice: choice)
        #expect(unknown.description == "„a“ der Entität „B“ verletzt eine Regel des Modells.")
        let denied = ValidationText(
            code: 1_600, key: "powers", entity: "Hero", rule: .noneLeft, value: .objects(1), choice: choice)
        #expect(denied.description.hasSuffix("hat noch 1 Objekt."))
        let long = ValidationText(
            code: 1_660, key: "%@%d%1$@", entity: "%n", rule: .pattern("%@"),
            value: .text(String(repeating: "x", count: 90)),
            choice: choice)
        #expect(long.description.contains("%@%d%1$@"))
        #expect(long.reason.contains("„" + String(repeating: "x", count: 40) + "…“"))
    }

    @Test("a program replaces own texts with those of its tables (L10N-01)")
    func replaced() throws {
        var tables = OwnTexts.tables
        tables.add(["1570": "%1$@ fehlt."], language: "de", table: OwnTexts.validationTable)
        let choice = try LanguageChoice(option: "de", environment: [:])
        let text = ValidationText(
            code: 1_570, key: "Name", entity: "Hero", rule: .value, choice: choice, tables: tables)
        #expect(text.description == "Name fehlt.")
    }

    private static let interfaces = [
        (OwnTexts.germanInterface, OwnTexts.germanInterfaceForms),
        (OwnTexts.frenchInterface, OwnTexts.frenchInterfaceForms),
        (OwnTexts.arabicInterface, OwnTexts.arabicInterfaceForms),
    ]
    private static let validations = [
        (OwnTexts.germanValidation, OwnTexts.germanValidationForms),
        (OwnTexts.frenchValidation, OwnTexts.frenchValidationForms),
        (OwnTexts.arabicValidation, OwnTexts.arabicValidationForms),
    ]

    private static func positions(_ text: String) -> Set<Int> {
        Set(
            FormatString(text).parts.compactMap { part -> Int? in
                if case .value(let specifier) = part { return specifier.position ?? 1 }
                return nil
            })
    }
}
