import CoreDataLocalization
import Foundation
import Testing

@Suite struct ShownLanguageTests {
    private static let all = ["en", "de", "fr", "ar"]

    private func shown(_ option: String?, _ environment: [String: String] = [:]) throws -> ShownLanguage {
        ShownLanguage(
            try LanguageChoice(option: option, environment: environment), among: Self.all, isNamed: option != nil)
    }

    @Test("the first wanted language that there is counts, else English (L10N-02)")
    func negotiated() throws {
        #expect(try shown("zh, fr").name == "fr" && shown("zh,fr").formats?.identifier == "fr")
        #expect(try shown("zh").name == "en" && shown("zh").formats == nil)
        #expect(try shown("DE-at").name == "de" && shown("de-AT").formats?.region?.identifier == "AT")
        #expect(try shown("ar-EG").isRightToLeft && !shown("fr").isRightToLeft)
        #expect(try shown(nil, ["LANG": "fr_CH.UTF-8"]).formats?.region?.identifier == "CH")
        #expect(try shown(nil, ["LC_ALL": "C", "LANG": "de_DE.UTF-8"]).name == "en")
    }

    @Test("English has the plain forms unless a region is named with it (L10N-02)")
    func plainEnglish() throws {
        #expect(try shown("en").formats == nil && shown(nil, ["LANG": "en_US.UTF-8"]).formats == nil)
        #expect(try shown("en-US").formats?.region?.identifier == "US")
        #expect(try shown(nil).formats == nil)
    }

    @Test("languages have their own names (L10N-02)")
    func names() {
        let names = Self.all.map { LanguageTag($0)?.ownName }
        #expect(names == ["English", "Deutsch", "Français", "العربية"])
    }
}

@Suite struct ValueStyleTests {
    private let american = FormatStyleTable(locale: Locale(identifier: "en_US"))

    @Test("a model names a style for numbers, amounts, units, days and times (L10N-05, L10N-06, L10N-08)")
    func named() throws {
        let number = Decimal(sign: .plus, exponent: -2, significand: 100_042)
        let texts = [
            "decimal": "1,000.42", "exact": "1,000.42", "none": "1000", "percent": "100,042%",
            "currency:USD": "$1,000.42", "kilometer": "621.6 mi",
        ]
        for (name, text) in texts {
            let style = try #require(ValueStyle(name))
            #expect(american.text(number, as: style) == text, "\(name)")
        }
        #expect(american.text(123, as: ValueStyle("spelledOut")) == "one hundred twenty-three")
        #expect(american.text(Decimal(sign: .plus, exponent: -9, significand: 1), as: nil) == "0.000000001")
        let date = Date(timeIntervalSince1970: 1_333_497_600)
        #expect(american.text(date, as: ValueStyle("day")) == "Apr 4, 2012")
        #expect(american.text(date, as: ValueStyle("day-short")) == "4/4/12")
        #expect(american.text(date, as: ValueStyle("long-none")) == "April 4, 2012")
        let west = FormatStyleTable(
            locale: Locale(identifier: "de_DE"), timeZone: try #require(TimeZone(identifier: "America/New_York")))
        #expect(west.text(date, as: ValueStyle("day")) == "04.04.2012")
        #expect(west.text(date, as: nil).hasPrefix("03.04.2012"))
    }

    @Test(
        "an unknown name, and a style of another kind, leave the usual one", arguments: ["", "x", "day-", "a-b", "-"])
    func unknown(name: String) {
        #expect(ValueStyle(name) == nil)
        #expect(american.text(5, as: .day(.short)) == "5")
    }
}
