/// Makes text safe to print on a terminal: without characters that move the cursor or change the text's direction.
package enum PrintableText {
    /// The text with control characters, bidirectional controls and line separators written as `\n`, `\u202E` and so
    /// on.
    ///
    /// Of a character with more than 16 scalars, such as one with many combining marks, only the first 16 are kept.
    /// At most `limit` characters of the text are processed.
    package static func escaped(_ text: String, limit: Int = .max) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = ""
        for character in text.prefix(limit) {
            for scalar in character.unicodeScalars.prefix(16) {
                if needsEscape(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// Text from an untrusted source, such as a file or a server, as one line of at most `limit` scalars; unsafe
    /// characters are replaced by spaces.
    package static func line(_ text: String, limit: Int = 400) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) { line.append(needsEscape(scalar) ? " " : scalar) }
        let words = String(line).split(separator: " ").joined(separator: " ")
        return text.unicodeScalars.dropFirst(limit).isEmpty ? words : words + "…"
    }

    /// Whether a scalar is unsafe to print.
    package static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
