import Foundation
import TestBasics
import Testing

@testable import CoreDataLocalization

@Suite struct PluralTests {
    @Test("Arabic has its six plural forms, each for its numbers (L10N-01)")
    func arabic() throws {
        let rules = PluralRules(for: try #require(LanguageTag("ar-EG")))
        #expect(rules.categories == [.zero, .one, .two, .few, .many, .other])
        #expect(
            [0, 1, 2, 3, 10, 11, 99, 100, 103].map { rules.category(of: $0) } == [
                .zero, .one, .two, .few, .few, .many, .many, .other, .few,
            ])
    }

    @Test("plural forms of all languages of CLDR equal those of another implementation for 164 numbers (L10N-01)")
    func allLanguages() throws {
        var (languages, forms): ([Substring], String) = ([], "")
        var checked = 0
        func check() throws {
            let expected = Self.expanded(forms)
            let count = PluralExpectations.integers.count + PluralExpectations.decimals.count
            try #require(expected.count == count)
            for language in languages {
                let rules = PluralRules(for: try #require(LanguageTag(String(language)), "\(language)"))
                let integers = PluralExpectations.integers.map { rules.category(of: $0) }
                let decimals = try PluralExpectations.decimals.map {
                    rules.category(of: try #require(PluralOperands($0)))
                }
                #expect(integers + decimals == expected, "\(language)")
                checked += 1
            }
            (languages, forms) = ([], "")
        }
        for line in PluralExpectations.forms.split(separator: "\n") {
            if line.hasPrefix(" ") {
                forms += line.drop { $0 == " " }
            } else {
                if !forms.isEmpty { try check() }
                languages += line.split(separator: " ")
            }
        }
        try check()
        #expect(checked > 320)
    }

    @Test("every line of the rules is read: each language with several forms has them")
    func rulesAreRead() {
        let lines = PluralRuleTexts.cardinals.split(separator: "\n")
        let conditions = lines.filter { $0.hasPrefix(" ") }
        #expect(conditions.allSatisfy { PluralRule($0.split(separator: ":", maxSplits: 1)[1]) != nil })
        #expect(PluralRules.languages.count > 180)
        #expect(PluralRule("n % 0 = 1") == nil && PluralRule("n = 3..1") == nil && PluralRule("q = 1") == nil)
        #expect(PluralRule("n = 1 and") == nil && PluralRule("") == nil && PluralRule("n = 1 n = 2") == nil)
    }

    @Test("operands come from the digits as they are written, of numbers of any size")
    func operands() throws {
        let number = try #require(PluralOperands("-1.50"))
        #expect(number.integer == 1 && number.digits == 2 && number.significantDigits == 1)
        #expect(number.fraction == 50 && number.significantFraction == 5 && !number.isInteger)
        let compact = try #require(PluralOperands("1.2c6"))
        #expect(compact.integer == 1_200_000 && compact.exponent == 6 && compact.isInteger)
        let french = PluralRules(for: try #require(LanguageTag("fr")))
        #expect(french.category(of: try #require(PluralOperands("1c6"))) == .many)
        #expect(french.category(of: try #require(PluralOperands("1000000"))) == .many)
        #expect(PluralOperands(UInt64.max).integer % 1_000 == 615)
        #expect(PluralOperands(Int64.min).integer % 1_000 == 808)
        let slovene = PluralRules(for: try #require(LanguageTag("sl")))
        let huge = try #require(PluralOperands(String(repeating: "7", count: 400) + "01"))
        #expect(slovene.category(of: huge) == .one)
        for text in ["", ".", "1.", ".5", "a", "1c99", "1c-1", "1.2.3", "--1"] {
            #expect(PluralOperands(text) == nil, "\(text)")
        }
    }

    private static func expanded(_ text: String) -> [PluralCategory] {
        let letters: [Character: PluralCategory] = [
            "z": .zero, "o": .one, "t": .two, "f": .few, "m": .many, "x": .other,
        ]
        var result: [PluralCategory] = []
        var rest = text[...]
        while let letter = rest.popFirst(), let category = letters[letter] {
            let digits = rest.prefix { $0.isNumber }
            rest = rest.dropFirst(digits.count)
            result += Array(repeating: category, count: Int(digits) ?? 1)
        }
        return result
    }
}
