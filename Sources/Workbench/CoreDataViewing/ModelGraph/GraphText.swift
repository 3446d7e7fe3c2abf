import CoreData

/// Texts of a model for drawings: nothing in a name can end the text it stands in.
enum GraphText {
    static let limit = 60

    /// A name in printable characters, cut where no drawing has room for it.
    static func shown(_ text: String, limit: Int = limit) -> String {
        let start = PrintableText.escaped(text, limit: limit)
        return text.count > limit ? start + "…" : start
    }

    /// The text for XML, where no character but spaces, tabs and line ends below U+0020 may stand.
    static func xml(_ text: String, limit: Int = limit) -> String {
        var result = ""
        for scalar in shown(text, limit: limit).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // XML cannot represent them at all.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// How wide a text is at a size of one, by wide fonts: a drawing must not be too narrow for the reader's font.
    static func width(_ text: String) -> Double {
        shown(text).unicodeScalars.reduce(0) { $0 + width($1) }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": 0.34
        case "f", "t", "r", " ", "(", ")", "-", "/": 0.42
        case "m", "w", "M", "W", "@", "%": 0.98
        case "A"..."Z": 0.74
        case _ where scalar.value < 0x1100: scalar.properties.generalCategory == .nonspacingMark ? 0 : 0.64
        default: 1.05
        }
    }
}
