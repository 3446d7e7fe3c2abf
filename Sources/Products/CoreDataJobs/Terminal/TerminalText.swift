/// Text for one line of a terminal.
enum TerminalText {
    /// The text without what would move the cursor or change the terminal: control characters, and marks of direction.
    static func harmless(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: "?"
                    default: scalar
                    }
                }))
    }

    /// The text, cut so that it has at most so many columns; a cut text ends with `…`.
    ///
    /// Of characters whose width differs between terminals the greater one is taken.
    static func cut(_ text: String, to columns: Int) -> String {
        var used = 0
        // Where there is still room for the ellipsis.
        var end = text.startIndex
        for index in text.indices {
            if used < columns { end = index }
            used += width(of: text[index])
            if used > columns { return columns > 0 ? text[..<end] + "…" : "" }
        }
        return text
    }

    private static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return 1 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        let isWide = (0x1100...0x115F).contains(first.value) || first.value >= 0x2E80 || first.properties.isEmoji
        return isWide ? 2 : 1
    }
}
