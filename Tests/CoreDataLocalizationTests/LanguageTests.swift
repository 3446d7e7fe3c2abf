import CoreDataLocalization
import Foundation
import Testing

@Suite struct LanguageTests {
    private func tags(_ names: [String]) throws -> [LanguageTag] {
        try names.map { name in try #require(LanguageTag(name), "\(name)") }
    }

    @Test("preferences [zh, fr] with resources {en, fr} choose fr (L10N-02)")
    func preferences() throws {
        #expect(LanguageMatch(among: ["en", "fr"]).best(for: try tags(["zh", "fr"])) == "fr")
        #expect(LanguageMatch(among: ["en", "fr"]).best(for: try tags(["zh", "ja"])) == nil)
    }

    @Test(
        "a wanted language finds the one that its readers read (L10N-02)",
        arguments: [
            ("zh-TW", ["zh", "zh-Hant", "en"], "zh-Hant"), ("zh-TW", ["zh-hans.lproj", "zh-hant"], "zh-hant"),
            ("zh-HK", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh", ["zh-hant", "zh-hans"], "zh-hans"),
            ("zh-TW", ["zh", "en"], nil), ("zh-SG", ["zh-Hans"], "zh-Hans"), ("cmn", ["zh"], "zh"),
            ("nb", ["no"], "no"), ("no", ["nn", "nb"], "nb"), ("nn", ["nb", "nn"], "nn"), ("nn-NO", ["nb"], "nb"),
            ("pt-BR", ["pt-PT", "pt"], "pt"), ("pt-BR", ["pt-PT", "pt-BR"], "pt-BR"),
            ("pt-AO", ["pt", "pt-PT"], "pt-PT"),
            ("pt", ["pt-PT", "pt-BR"], "pt-BR"), ("sr-Latn", ["sr"], nil), ("sr-Latn", ["sr", "sr-latn"], "sr-latn"),
            ("sr-ME", ["sr", "sr-Latn"], "sr-Latn"), ("sh", ["sr-Latn"], "sr-Latn"),
            ("en-AU", ["en", "en-GB"], "en-GB"),
            ("en-US", ["en-GB", "en"], "en"), ("es-MX", ["es", "es-419"], "es-419"), ("de-AT", ["de", "en"], "de"),
            ("de-Latn-AT", ["DE"], "DE"), ("de-CH", ["de-AT", "de-DE"], "de-DE"), ("iw", ["he"], "he"),
            ("id", ["in"], "in"),
            ("ca-valencia", ["ca", "ca-valencia"], "ca-valencia"), ("ca", ["ca-valencia", "ca"], "ca"),
            ("pa-PK", ["pa"], nil), ("uz-AF", ["uz-Arab", "uz"], "uz-Arab"), ("en", ["Base", "en_US"], "en_US"),
        ] as [(String, [String], String?)])
    func matching(wanted: String, available: [String], expected: String?) throws {
        #expect(LanguageMatch(among: available).best(for: try tags([wanted])) == expected)
    }

    @Test("tags are read in any case and with either mark, and written in canonical form (L10N-02)")
    func grammar() throws {
        let pairs = [
            ("ZH_hant-tw", "zh-Hant-TW"), ("sl-rozaj-biske-1994", "sl-rozaj-biske-1994"), ("es-419", "es-419"),
            ("zh-yue-HK", "yue-HK"), ("ja_JP@calendar=japanese", "ja-JP-u-ca-japanese"), ("de-x-firm", "de-x-firm"),
            ("ar-EG-u-nu-latn", "ar-EG-u-nu-latn"),
        ]
        for (text, expected) in pairs { #expect(LanguageTag(text)?.description == expected) }
        let wrong = [
            "", "-", "d", "de-", "-de", "de--AT", "english!", "de AT", "dé", "x-private", "i-klingon", "abcd", "de-u",
            "de-a-",
            "../../etc", "de\u{0}", String(repeating: "a", count: 5_000), "de-" + String(repeating: "a", count: 9),
        ]
        for text in wrong { #expect(LanguageTag(text) == nil, "\(text.prefix(20))") }
    }

    @Test(
        "POSIX variables name languages (L10N-02)",
        arguments: [
            (["LANG": "de_AT.UTF-8@euro"], ["de-AT"], "de_AT"),
            (["LANG": "fr_FR", "LC_ALL": "ar_EG.UTF-8"], ["ar-EG"], "ar_EG"),
            (["LANG": "de_DE", "LC_MESSAGES": "fr_FR"], ["fr-FR"], "de_DE"), (["LANG": "C"], ["en"], "en"),
            (["LANG": "C.UTF-8", "LANGUAGE": "de"], ["en"], "en"),
            (["LANG": "en_US", "LANGUAGE": "zh_TW:fr"], ["zh-TW", "fr"], "en_US"),
            (["LANG": "sr_RS@latin"], ["sr-Latn-RS"], "sr-Latn_RS"), ([:], ["en"], "en"),
            (["LANG": "", "LC_ALL": ""], ["en"], "en"), (["LANG": "..//"], ["en"], "en"),
        ] as [([String: String], [String], String)])
    func environment(variables: [String: String], languages: [String], locale: String) throws {
        let choice = try LanguageChoice(environment: variables)
        #expect(choice.languages.map(\.description) == languages)
        #expect(choice.locale.identifier == Locale(identifier: locale).identifier)
    }

    @Test("--language comes before the environment, whose region stays for the same language (L10N-02)")
    func option() throws {
        let surroundings = ["LANG": "de_AT.UTF-8", "LANGUAGE": "fr"]
        let same = try LanguageChoice(option: "de", environment: surroundings)
        #expect(same.languages.map(\.description) == ["de"] && same.locale.region?.identifier == "AT")
        let other = try LanguageChoice(option: "ar, en", environment: surroundings)
        #expect(other.languages.map(\.description) == ["ar", "en"] && other.locale.region == nil)
        let region = try LanguageChoice(option: "en", region: "ch", environment: [:])
        #expect(region.locale.identifier == "en_CH")
        #expect(throws: LanguageError.notALanguage("no such")) {
            try LanguageChoice(option: "no such", environment: [:])
        }
        #expect(throws: LanguageError.notALanguage("")) { try LanguageChoice(option: "", environment: [:]) }
        #expect(throws: LanguageError.notARegion("Austria")) {
            try LanguageChoice(option: "de", region: "Austria", environment: [:])
        }
    }

    @Test("an unknown language has the root locale (L10N-02)")
    func unknown() throws {
        let choice = try LanguageChoice(option: "qqq-ZZ", environment: [:])
        #expect(choice.locale.identifier == Locale(identifier: "").identifier)
        #expect(FormatStyleTable(locale: choice.locale).text(1_000.5 as Decimal) == "1,000.5")
        #expect(OwnTexts.interface("Done", languages: choice.languages) == "Done")
    }

    @Test("Accept-Language is read by weights, and excludes what has the weight 0 (L10N-02)")
    func acceptLanguage() throws {
        let field = AcceptLanguage("en;q=0.5, fr-CH, fr;q=0.9 , de;q=0, *;q=0.1")
        #expect(field.languages.map(\.description) == ["fr-CH", "fr", "en"])
        #expect(field.excluded.map(\.description) == ["de"] && field.acceptsOthers)
        #expect(field.best(among: ["de", "en", "fr"]) == "fr")
        #expect(field.best(among: ["de", "ar"]) == "ar")
        #expect(AcceptLanguage("fr").best(among: ["en"]) == nil)
        #expect(AcceptLanguage("").best(among: ["en", "de"]) == "en")
        #expect(
            AcceptLanguage("de;q=2, fr;q=x, en;q=0.1234, ar;q=1.5, it;q=1.000, es;v=1").languages.map(\.description)
                == ["it"])
        let long = String(repeating: "de,", count: 100_000)
        #expect(AcceptLanguage(long).languages.count == 50)
        let page = try LanguageChoice(acceptLanguage: "fr-CA, en;q=0.3")
        #expect(page.languages.map(\.description) == ["fr-CA", "en"] && page.locale.identifier == "fr_CA")
        #expect(try LanguageChoice(page: "ar", acceptLanguage: "fr").languages.map(\.description) == ["ar"])
    }
}
