/// Text that can be put on a terminal without harm: nothing in it moves the cursor or turns the line around.
package enum PrintableText {
    /// The text with control characters, bidirectional controls and line separators written as `\n`, `\u202E` and so on.
    ///
    /// A character with more than 16 scalars, such as a flood of combining marks, keeps the first 16.
    /// With `limit` no more than that many characters of the text are looked at.
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

    /// Text of foreign origin, such as a file's or a server's, as one line of at most `limit` scalars; unsafe characters
    /// are replaced by spaces.
    package static func line(_ text: String, limit: Int = 400) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) { line.append(needsEscape(scalar) ? " " : scalar) }
        let words = String(line).split(separator: " ").joined(separator: " ")
        return text.unicodeScalars.dropFirst(limit).isEmpty ? words : words + "…"
    }

    /// Whether a scalar is better not shown as it is.
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
