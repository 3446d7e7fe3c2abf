import Foundation

/// Computes how many columns of a terminal a text occupies.
package enum DisplayWidth {
    /// The columns of a text without control characters.
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one character: 0 for a combining mark without a base, 2 for ideographs and emoji, else 1.
    static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return 1 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return isWide(first.value) || first.properties.isEmojiPresentation ? 2 : 1
    }

    /// The text, cut to fit into some columns; a cut text ends with `…`.
    package static func truncated(_ text: String, to columns: Int) -> String {
        var used = 0
        // Where to cut if the text is too long: the last index that leaves room for the ellipsis.
        var cut = text.startIndex
        for (index, character) in zip(text.indices, text) {
            if used < columns { cut = index }
            used += of(character)
            guard used <= columns else { return text[..<cut] + "…" }
        }
        return text
    }

    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
