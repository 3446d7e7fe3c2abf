import CoreData

/// Escapes texts of a model for drawings, so that no character of a name ends the text around it.
enum GraphText {
    static let limit = 60

    /// A name in printable characters, cut to `limit` characters.
    static func shown(_ text: String, limit: Int = limit) -> String {
        let start = PrintableText.escaped(text, limit: limit)
        return text.count > limit ? start + "…" : start
    }

    /// The text cut to `limit` and escaped for XML. Control characters, invalid in XML, become printable escapes.
    static func xml(_ text: String, limit: Int = limit) -> String {
        var result = ""
        for scalar in shown(text, limit: limit).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // XML cannot represent these two characters.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The width of a text at font size 1, estimated for wide fonts so that boxes are not too narrow for the reader's
    /// font.
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
