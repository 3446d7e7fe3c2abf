import Foundation

/// Names as keys by which they are found: in lower case, without marks, in both ways in which people write letters with
/// marks: ö as o and as oe.
enum NameFolding {
    private static let pairs: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th", "ð": "d",
    ]
    private static let singles: [Character: String] = [
        "ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
    ]

    /// The keys of a name, one or two; none for a name without letters and digits.
    static func keys(_ name: String) -> Set<String> {
        let lower = name.precomposedStringWithCanonicalMapping.lowercased()
        return Set([folded(lower, with: [:]), folded(lower, with: pairs)].filter { !$0.isEmpty })
    }

    private static func folded(_ lower: String, with table: [Character: String]) -> String {
        var text = ""
        for character in lower { text += table[character] ?? singles[character] ?? String(character) }
        let plain = text.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
        // Marks between words are one blank, so that "Saint-Étienne" and "saint etienne" are alike.
        var key = ""
        for character in plain {
            if character.isLetter || character.isNumber {
                key.append(character)
            } else if character != "'", character != "’", key.last != " " {
                key.append(" ")
            }
        }
        return key.trimmingCharacters(in: .whitespaces)
    }
}
