import CoreDataFoundation
import Testing

@Suite struct SearchKeyTests {
    private static let options: [NSComparisonPredicateOptions] = [
        [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    /// Scalars alone: a key made scalar by scalar that no folding changes contains the key of whatever the text contains.
    @Test func foldingChangesNoKeyOfAScalar() {
        var differences: [String] = []
        // What is left out are ideographs, syllables of Hangul and private characters, which are all alike.
        let most: [ClosedRange<UInt32>] = [0...0x33FF, 0xA000...0xABFF, 0xF900...0x187FF, 0x1B000...0x1FFFF]
        let rest = stride(from: UInt32(0x3400), to: 0x110000, by: 997)
        for number in most.flatMap(Array.init) + rest {
            guard let scalar = Unicode.Scalar(number) else { continue }
            let text = String(scalar)
            let key = SearchKey.key(of: text)
            for options in Self.options.dropFirst() {
                let folded = TextFolding.folded(text, options: options)
                // Within other text ASCII is folded as everything else is.
                if SearchKey.key(of: folded) != key { differences.append(String(number, radix: 16)) }
            }
            let forms = [text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping]
            for form in forms where SearchKey.key(of: form) != key { differences.append(String(number, radix: 16)) }
            let parts = text.decomposedStringWithCanonicalMapping.unicodeScalars.map { SearchKey.key(of: String($0)) }
            if parts.joined() != key { differences.append(String(number, radix: 16)) }
        }
        #expect(differences.isEmpty, "\(differences.prefix(20))")
    }

    @Test func keysOfPartsStandInKeysOfTexts() {
        let texts = ["Straße", "STRASSE", "ẞ", "ᾠδῇ", "ωδη", "αι", "ᾳ", "e\u{301}a", "éa", "İx", "a\u{0}b"]
        for text in texts {
            for part in texts {
                for options in Self.options where TextComparison.contains(text, part, options: options) {
                    #expect(SearchKey.key(of: text).contains(SearchKey.key(of: part)), "\(text) \(part)")
                }
            }
        }
    }

    @Test func partsAreThreeScalarsEachOnce() {
        #expect(SearchKey.parts(of: "Ababab", limit: 10) == ["aba", "bab"])
        #expect(SearchKey.parts(of: "ab", limit: 10).isEmpty)
        #expect(SearchKey.parts(of: "aéb c", limit: 2) == ["aeb", "eb "])
    }

    @Test func wordsAreRunsOfLettersAndDigits() {
        #expect(SearchWords.words(of: "Crème-brûlée, 2 pc. 日本") == ["creme", "brulee", "2", "pc", "日", "本"])
    }

    @Test func literalsStandBetweenWildcards() {
        #expect(LikePattern("*abc?d\\*e*", options: []).literals == ["abc", "d*e"])
    }
}
