import CoreDataFoundation
import Testing

struct TextTests {
    @Test(
        "searches with and without options (PRD-14, PRD-17)",
        arguments: [
            ("'Domestic Sales' ENDSWITH 'Sales'", true), ("'DOMESTIC SALES' ENDSWITH 'Sales'", false),
            ("'DOMESTIC SALES' ENDSWITH[c] 'Sales'", true), ("'saLES' ENDSWITH[c] 'Sales'", true),
            ("'International Shipping and Domestic Delivery' CONTAINS 'Shipping'", true),
            ("'shipping' CONTAINS 'Shipping'", false),
            ("'Sales' ==[c] 'SALES'", true), ("'Sales' == 'SALES'", false),
            ("'Departement' BEGINSWITH[d] 'Département'", true),
            ("'departement' BEGINSWITH[d] 'Département'", false), ("'departement' BEGINSWITH[cd] 'Département'", true),
            ("'É' ==[c] 'é'", true), ("'É' ==[c] 'e'", false), ("'É' ==[cd] 'e'", true), ("'e\u{301}' == 'é'", false),
            ("'e\u{301}' ==[c] 'é'", true), ("'e\u{301}' ==[l] 'é'", true), ("'e\u{301}a' BEGINSWITH[c] 'e'", false),
            ("'straße' ==[c] 'STRASSE'", true), ("'ΌΣΟΣ' ==[c] 'όσος'", true), ("'Σ' ==[c] 'ς'", true),
            ("'ø' ==[cd] 'o'", false),
            ("'İ' ==[cd] 'i'", true), ("'ı' ==[c] 'i'", false), ("'Å' ==[d] 'A'", true), ("'A' ==[n] 'a'", false),
            ("'A' ==[cn] 'a'", false), ("'abc' CONTAINS ''", true), ("'' CONTAINS 'a'", false), ("'' == ''", true),
            ("'' CONTAINS ''", true),
            ("'ЖУК' CONTAINS[c] 'жу'", true), ("'a\\0b' CONTAINS '\\0b'", true), ("'a\\0b' == 'a'", false),
            ("'100%' CONTAINS '%'", true), ("'a_b' CONTAINS 'aXb'", false), ("'\u{202E}abc' ENDSWITH 'abc'", true),
            ("'b' <[c] 'C'", true), ("'שָׁלוֹם' ==[d] 'שלום'", true),
        ])
    func prd14PRD17(format: String, expected: Bool) throws {
        #expect(try holds(format, on: nil) == expected)
    }

    @Test(
        "? is one character, * any number of them (PRD-15)",
        arguments: [
            ("Design", "De?i*n", true), ("Dedication", "De?i*n", true), ("Deportation", "De?i*n", false),
            ("", "*", true),
            ("", "?", false), ("abc", "a*c", true), ("ac", "a*c", true), ("ab", "a*c", false), ("aXbXc", "*X*", true),
            ("a*c", "a\\*c", true), ("abc", "a\\*c", false), ("a?c", "a\\?c", true), ("a\\c", "a\\\\c", true),
            ("👨‍👩‍👧", "?", true),
            ("e\u{301}", "?", true), ("a.txt", "*.txt", true), ("axtxt", "*.txt", false), ("100%_", "100%_", true),
            ("aaab", "*aab", true), ("abcabd", "*ab?", true), ("[a](b)", "[a](b)", true), ("a\nb", "a*b", true),
        ])
    func isOneCharacterAnyNumberOfThem(text: String, pattern: String, expected: Bool) throws {
        #expect(try holds("%@ LIKE %@", text, pattern, on: nil) == expected)
        #expect(TextComparison.isLike(text, pattern) == expected)
    }

    @Test("LIKE with options (PRD-15, PRD-17)")
    func likeWithOptions() throws {
        #expect(try holds("'DÉSIGN' LIKE[cd] 'des*'", on: nil))
        #expect(try !holds("'DÉSIGN' LIKE[c] 'des*'", on: nil))
        #expect(try holds("'É' LIKE[c] 'e\u{301}'", on: nil))
    }

    @Test("LIKE with many stars on a long text ends (HAZ-53)")
    func likeWithManyStarsEnds() {
        let text = String(repeating: "a", count: 20_000)
        #expect(!TextComparison.isLike(text, String(repeating: "*a", count: 50) + "*b"))
    }

    @Test(
        "MATCHES is about the whole text (PRD-16)",
        arguments: [
            ("Sales", "S[ao]les", true), ("Soles", "S[ao]les", true), ("Sules", "S[ao]les", false),
            ("Sales!", "S[ao]les", false),
            ("ab", "a|ab", true), ("", "", true), ("a\nb", "a.b", false), ("a\nb", "(?s)a.b", true),
            ("ab", "(?x) a b # end", true),
            ("abc", "\\w+", true), ("a\n", "a", false), ("größe", "\\w{5}", true),
        ])
    func matchesIsAboutWholeText(text: String, pattern: String, expected: Bool) throws {
        #expect(try holds("%@ MATCHES %@", text, pattern, on: nil) == expected)
    }

    @Test("MATCHES with options (PRD-16, PRD-17)")
    func matchesWithOptions() throws {
        #expect(try holds("'SALES' MATCHES[c] 'sales'", on: nil))
        #expect(try holds("'Département' MATCHES[cd] 'departe.*'", on: nil))
        #expect(try !holds("'a' MATCHES[c] '\\\\W'", on: nil))
    }

    @Test("a pattern that does not compile is an error (PRD-16)", arguments: ["[", "a)(b", "(", "*", "(?<n>"])
    func invalidPatternIsAnError(pattern: String) {
        #expect(throws: ExpressionError.self) { try holds("'ab' MATCHES %@", pattern, on: nil) }
    }

    @Test("a pattern of exponential time is given up (HAZ-53)")
    func runawayPatternIsGivenUp() throws {
        let text = String(repeating: "a", count: 60) + "!"
        for (pattern, text) in [
            ("(a+)+$", text), ("(a+)+b|.*!", text), ("(a|a)*b", String(repeating: "a", count: 5_000_000)),
        ] {
            #expect(throws: ExpressionError.patternTooExpensive) { try holds("%@ MATCHES %@", text, pattern, on: nil) }
        }
        #expect(try holds("%@ MATCHES '.*!'", String(repeating: "a", count: 1_000_000) + "!", on: nil))
    }

    @Test("what stops evaluate(with:) is an error of its throwing twin (HAZ-53, HAZ-54)")
    func throwingTwin() throws {
        let predicate = NSPredicate(format: "name MATCHES '(a+)+$'")
        #expect(throws: ExpressionError.patternTooExpensive) {
            try predicate.evaluation(with: ["name": String(repeating: "a", count: 60) + "!"])
        }
        #expect(try predicate.evaluation(with: ["name": "aaa"]))
        #expect(try NSPredicate(format: "a == $b").evaluation(with: ["a": 1], substitutionVariables: ["b": 1]))
        #expect(throws: ExpressionError.unboundVariable("b")) {
            try NSPredicate(format: "a == $b").evaluation(with: ["a": 1])
        }
    }

    @Test("folding keeps ASCII fast and equal to the general way (PRD-17)")
    func foldingOfASCII() {
        #expect(TextFolding.folded("Hello, [World]_09", options: .caseInsensitive) == "hello, [world]_09")
        #expect(TextFolding.folded("Ünïcode", options: [.caseInsensitive, .diacriticInsensitive]) == "unicode")
        #expect(TextFolding.folded("Same", options: .diacriticInsensitive) == "Same")
    }

    @Test("long texts and parts are found in linear time (HAZ-52)")
    func searchIsLinear() {
        let text = String(repeating: "a", count: 1_000_000)
        #expect(!TextComparison.contains(text, String(repeating: "a", count: 100_000) + "b"))
        #expect(TextComparison.contains(text + "b", String(repeating: "a", count: 100_000) + "b"))
        #expect(TextComparison.contains("abacabadabacabaeabacabadabacabaf", "abacabadabacabaf"))
        #expect(TextComparison.contains("xxabacabadabacabaeabacabadabacabafg", "eabacabadabacabafg"))
    }
}
