import CoreDataLocalization
import Foundation
import Testing

@testable import HelloLocalizationSample
@testable import LocaleNumbersSample

/// The examples LocaleNumbers and HelloLocalization.
@Suite struct LocaleExampleTests {
    private static let number = Decimal(string: "1000.42", locale: Locale(identifier: "en_US_POSIX")) ?? 0

    @Test("LocaleNumbers shows 1000.42 as the US, France and Germany write it (L10N-05)")
    func decimals() {
        let numbers = LocaleNumbers(number: Self.number)
        #expect(numbers.text("en_US") == "1,000.42")
        #expect(numbers.text("fr_FR") == "1\u{202F}000,42")
        #expect(numbers.text("de_DE") == "1.000,42")
        let lines = numbers.lines()
        #expect(
            lines.filter { !$0.hasPrefix(" ") } == ["US: 1,000.42", "France: 1\u{202F}000,42", "Germany: 1.000,42"])
    }

    @Test("LocaleNumbers has all styles of each country, and words (L10N-05)") func styles() {
        let lines = LocaleNumbers(number: Self.number).lines()
        #expect(
            lines.prefix(6).map { $0.trimmingCharacters(in: .whitespaces) } == [
                "US: 1,000.42", "none: 1000", "decimal: 1,000.42", "currency: $1,000.42", "percent: 100,042%",
                "scientific: 1.00042E3",
            ])
        #expect(lines.contains("    currency: 1.000,42\u{A0}€") && lines.count == 21)
        #expect(LocaleNumbers(number: 123).text("en_US", .spelledOut) == "one hundred twenty-three")
    }

    @Test("HelloLocalization greets who wants [zh, fr] in French, of {en, fr} (L10N-01, L10N-02)")
    func greeting() throws {
        let greeting = try Greeting()
        let wanted = ["zh", "fr"].compactMap { LanguageTag($0) }
        #expect(greeting.tables.languages == ["en", "fr"])
        #expect(greeting.language(for: wanted) == "fr")
        #expect(greeting.text(for: wanted) == "Bonjour, Monde!")
        #expect(
            greeting.text(for: try LanguageChoice(environment: ["LANG": "fr_CA.UTF-8"]).languages) == "Bonjour, Monde!")
        #expect(greeting.text(for: try LanguageChoice(option: "zh,de").languages) == "Hello, World!")
        #expect(greeting.text("goodbyeWorld", for: wanted) == "goodbyeWorld")
    }
}
