/// The words of a text for a search: each run of letters and digits is one word, without case and diacritics.
///
/// Marks that are not diacritics, such as the vowels of Hindi, belong to the word, and invisible joiners and
/// non-joiners, as in Persian, do not end it. A run of text without spaces, as in Thai, is one word. Each ideograph is
/// a word, since texts of ideographs have no spaces between words.
package enum SearchWords {
    package static func words(of text: String) -> [String] {
        words(ofFolded: TextFolding.folded(text, options: [.caseInsensitive, .diacriticInsensitive]))
    }

    /// The words of a text that has been folded under `[cd]`.
    package static func words(ofFolded text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        func end() {
            guard !word.isEmpty else { return }
            words.append(String(word))
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            switch kind(of: scalar) {
            case .letter: word.append(scalar)
            case .ideograph:
                end()
                words.append(String(scalar))
            case .invisible: continue
            case .other: end()
            }
        }
        end()
        return words
    }

    /// The number of occurrences of the words of one text in another; 0 unless all words occur, and if there are no
    /// words.
    package static func occurrences(of words: String, in text: String) -> Int {
        let wanted = Set(self.words(of: words))
        guard !wanted.isEmpty else { return 0 }
        var found: Set<String> = []
        var count = 0
        for word in self.words(of: text) where wanted.contains(word) {
            found.insert(word)
            count += 1
        }
        return found.count == wanted.count ? count : 0
    }

    private enum Kind {
        case letter, ideograph, invisible, other
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if scalar.value < 0x80 {
            let byte = UInt8(scalar.value)
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            return isLetter ? .letter : .other
        }
        let properties = scalar.properties
        if properties.isIdeographic { return .ideograph }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark,
            .enclosingMark, .nonspacingMark, .decimalNumber, .letterNumber, .otherNumber, .privateUse:
            return .letter
        case .format: return .invisible
        default: return .other
        }
    }
}
