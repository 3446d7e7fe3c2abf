/// A pattern of `LIKE`: `?` matches one character, `*` any number of them; a backslash makes the next character
/// literal.
///
/// Characters are Swift's: a letter with its combining marks is one.
package struct LikePattern {
    /// What a part of the pattern matches.
    package enum Piece: Equatable {
        case one
        case many
        case plain(Character)
    }

    package let pieces: [Piece]
    private let options: NSComparisonPredicateOptions

    package init(_ pattern: String, options: NSComparisonPredicateOptions) {
        self.options = options
        var pieces: [Piece] = []
        var isEscaped = false
        for character in TextFolding.folded(pattern, options: options) {
            switch character {
            case _ where isEscaped:
                pieces.append(.plain(character))
                isEscaped = false
            case "\\": isEscaped = true
            case "?": pieces.append(.one)
            case "*" where pieces.last == .many: break
            case "*": pieces.append(.many)
            default: pieces.append(.plain(character))
            }
        }
        if isEscaped { pieces.append(.plain("\\")) }
        self.pieces = pieces
    }

    /// The texts between the wildcards: every matching text, once folded like the pattern, contains all of them.
    package var literals: [String] {
        var literals: [String] = []
        var isOpen = false
        for piece in pieces {
            guard case .plain(let character) = piece else {
                isOpen = false
                continue
            }
            if isOpen, let last = literals.indices.last {
                literals[last].append(character)
            } else {
                literals.append(String(character))
            }
            isOpen = true
        }
        return literals
    }

    /// Whether the complete text matches the pattern.
    ///
    /// Only the last `*` is tried again after a mismatch, so the time is at most text length times pattern length.
    package func matches(_ text: String) -> Bool {
        let characters = Array(TextFolding.folded(text, options: options))
        var (place, piece) = (0, 0)
        var lastMany: (place: Int, piece: Int)?
        while place < characters.count {
            if piece < pieces.count, pieces[piece] == .many {
                lastMany = (place, piece)
                piece += 1
            } else if piece < pieces.count, isMatch(characters[place], pieces[piece]) {
                (place, piece) = (place + 1, piece + 1)
            } else if let many = lastMany {
                lastMany = (many.place + 1, many.piece)
                (place, piece) = (many.place + 1, many.piece + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .many }
    }

    private func isMatch(_ character: Character, _ piece: Piece) -> Bool {
        switch piece {
        case .one: true
        case .many: false
        // Compares bytes, as the other comparisons do: equality of characters would ignore how they are composed.
        case .plain(let expected): character.utf8.elementsEqual(expected.utf8)
        }
    }
}
