/// A token of a predicate that the user is typing.
struct HighlightedToken {
    enum Kind {
        case word
        /// A quoted text; `isOpen` if the closing quote is missing.
        case text(isOpen: Bool)
        case number
        case symbol
    }

    let kind: Kind
    /// The characters, without quotes.
    let text: String
    /// The range of the token, in characters from the beginning of the text.
    let range: Range<Int>

    /// The tokens of a text.
    static func all(in text: some Sequence<Character>) -> [HighlightedToken] {
        let characters = Array(text)
        var tokens: [HighlightedToken] = []
        var place = 0
        while place < characters.count {
            let start = place
            let first = characters[place]
            place += 1
            let kind: Kind
            switch first {
            case _ where first.isWhitespace: continue
            case "\"", "'":
                while place < characters.count, characters[place] != first {
                    place += characters[place] == "\\" ? 2 : 1
                }
                place = min(place, characters.count)
                let isOpen = place == characters.count
                let content = String(characters[start + 1..<place])
                place += isOpen ? 0 : 1
                tokens.append(HighlightedToken(kind: .text(isOpen: isOpen), text: content, range: start..<place))
                continue
            case _ where first.isNumber || first == "-" && place < characters.count && characters[place].isNumber:
                while place < characters.count, characters[place].isNumber || ".eE".contains(characters[place]) {
                    place += 1
                }
                kind = .number
            case _ where isPartOfWord(first):
                while place < characters.count, isPartOfWord(characters[place]) { place += 1 }
                kind = .word
            case "[":
                while place < characters.count, characters[place - 1] != "]" { place += 1 }
                kind = .symbol
            case _ where "=!<>&|".contains(first):
                while place < characters.count, "=!<>&|".contains(characters[place]) { place += 1 }
                kind = .symbol
            default: kind = .symbol
            }
            tokens.append(
                HighlightedToken(kind: kind, text: String(characters[start..<place]), range: start..<place))
        }
        return tokens
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_.@$#".contains(character)
    }
}
