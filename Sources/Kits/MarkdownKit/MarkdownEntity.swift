/// References to characters in texts of Markdown.
enum MarkdownEntity {
    private static let named = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
        "trade": "™",
        "hellip": "…", "mdash": "—", "ndash": "–", "euro": "€", "deg": "°", "times": "×", "middot": "·", "laquo": "«",
        "raquo": "»",
    ]

    /// The character of a reference such as `&amp;` or `&#233;`; rarer names stay as they are written.
    static func text(_ reference: String) -> String {
        guard reference.hasPrefix("&"), reference.hasSuffix(";") else { return reference }
        let name = reference.dropFirst().dropLast()
        if let found = named[String(name)] { return found }
        guard name.hasPrefix("#") else { return reference }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        // CommonMark: what is no character is U+FFFD.
        guard let value, value != 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
        return String(Character(scalar))
    }
}
