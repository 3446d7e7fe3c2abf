import Foundation
import Testing

@testable import CoreDataLocalization

@Suite struct SentenceTests {
    private static let german = SentenceTable(
        [
            "there is no such object": "dieses Objekt gibt es nicht",
            "the store '{}' is not open here": "der Store „{1}“ ist hier nicht geöffnet",
            "the model has no such entity": "das Modell hat keine solche Entität",
            "{} characters": "{1} Zeichen", "at most {}": "höchstens {1}",
            "'{}' of entity '{}' {} ({}).": "„{1}“ der Entität „{2}“ {3} ({4}).",
            "is greater than the model allows": "ist größer, als das Modell erlaubt",
            "The rule of '{}' is: {}. The value is: {}.": "Die Regel von „{1}“ ist: {2}. Der Wert ist: {3}.",
            "row # of the table {}": "Zeile {1} der Tabelle {2}", "try again": "versuchen Sie es noch einmal",
            "{} from {}": "von {2} {1}", "a {brace": "eine {Klammer", "{} objects": "{1} Objekte",
            "{} objects.one": "{1} Objekt", "{} objects.other": "{1} Objekte", "would be {}": "wären {1}",
        ], language: .german)

    @Test(
        "sentences, their parts and what is filled in are translated (L10N-01)",
        arguments: [
            ("there is no such object", "dieses Objekt gibt es nicht"),
            ("Villain: the model has no such entity", "Villain: das Modell hat keine solche Entität"),
            ("there is no such object (try again)", "dieses Objekt gibt es nicht (versuchen Sie es noch einmal)"),
            (
                "'age' of entity 'Hero' is greater than the model allows (at most 150). [1610]",
                "„age“ der Entität „Hero“ ist größer, als das Modell erlaubt (höchstens 150). [1610]"
            ),
            (
                "'a' of entity 'B' is greater than the model allows (at most 30 characters). The rule of 'a' is: at most 30 "
                    + "characters. The value is: 'x'.",
                "„a“ der Entität „B“ ist größer, als das Modell erlaubt (höchstens 30 Zeichen). Die Regel von „a“ ist: "
                    + "höchstens 30 Zeichen. Der Wert ist: 'x'."
            ),
            ("row 77 of the table ZCITY", "Zeile 77 der Tabelle ZCITY"),
            ("the store 'try again' is not open here", "der Store „try again“ ist hier nicht geöffnet"),
            ("5 from Hero", "von Hero 5"), ("a {brace", "eine {Klammer"),
            ("would be 1 objects", "wären 1 Objekt"), ("12345 objects", "12.345 Objekte"),
        ])
    func translated(english: String, german: String) {
        #expect(Self.german.text(english) == german)
    }

    @Test("a text without a translation, a long one and a deep one have none, and soon")
    func untranslated() {
        #expect(Self.german.text("misuse of aggregate: sum()") == nil)
        #expect(Self.german.text("") == nil)
        #expect(Self.german.text(String(repeating: "x, y: z. ", count: 2_000)) == nil)
        let deep = String(repeating: "a: ", count: 200) + "try again"
        #expect(Self.german.text(deep) == nil)
    }

    @Test("the first number that is filled in decides the plural form (L10N-01)")
    func plurals() {
        let arabic = SentenceTable(
            [
                "{} objects": "{1} كائن", "{} objects.zero": "لا كائنات", "{} objects.one": "كائن واحد",
                "{} objects.two": "كائنان", "{} objects.few": "{1} كائنات", "{} objects.many": "{1} كائنًا",
                "a.b": "أ", "no stem.other": "بلا",
            ], language: LanguageTag("ar") ?? .english)
        let texts = [0, 1, 2, 3, 11, 100].map { arabic.text("\($0) objects") }
        #expect(texts == ["لا كائنات", "كائن واحد", "كائنان", "3 كائنات", "11 كائنًا", "100 كائن"])
        #expect(arabic.text("some objects") == "some كائن")
        #expect(arabic.text("a.b") == "أ" && arabic.text("no stem.other") == "بلا")
        let french = SentenceTable(
            ["{} objects": "{1} objets", "{} objects.one": "{1} objet"], language: LanguageTag("fr") ?? .english)
        #expect(french.text("0 objects") == "0 objet" && french.text("2 objects") == "2 objets")
    }

    @Test("a table of JSON that is not one of texts is refused")
    func hostile() {
        #expect(throws: (any Error).self) { try SentenceTable(json: [Data("{\"a\": 1}".utf8)], language: .german) }
        #expect(throws: (any Error).self) { try SentenceTable(json: [Data("[".utf8)], language: .german) }
    }

    @Test(
        "validation errors have their sentences in German, French and Arabic (L10N-01)",
        arguments: [
            ("de", "„Name“ der Entität „Held“ ist länger, als das Modell erlaubt (höchstens 10 Zeichen)."),
            (
                "fr-CA",
                "« Name » de l’entité « Held » est plus long que ne le permet le modèle (au plus 10 caractères)."
            ),
            ("ar", "«Name» في الكيان «Held» أطول مما يسمح به النموذج (10 أحرف على الأكثر)."),
        ])
    func validation(language: String, expected: String) throws {
        let table = try #require(OwnTexts.validationSentences(for: LanguageChoice(option: language, environment: [:])))
        let english = "'Name' of entity 'Held' is longer than the model allows (at most 10 characters)."
        #expect(table.text(english) == expected)
        for sentence in [
            "'a' of entity 'B' is required and has no value.",
            "'a' of entity 'B' has fewer objects than the model asks for (at "
                + "least 1 object).", "The rule of 'a' is: a value is required. The value is: none.",
            "Give 'a' a value.",
            "Give 'a' a value that keeps the rule: at least 3 characters.",
            "An object of entity 'B' cannot be deleted: its relationship 'a' still has 2 objects.",
        ] {
            let text = try #require(table.text(sentence), "\(sentence)")
            #expect(!text.contains("value") && !text.contains("object ") && !text.contains("{"), "\(text)")
        }
        #expect(try OwnTexts.validationSentences(for: LanguageChoice(option: "zh", environment: [:])) == nil)
    }
}

extension LanguageTag {
    fileprivate static let german = LanguageTag("de") ?? .english
}
