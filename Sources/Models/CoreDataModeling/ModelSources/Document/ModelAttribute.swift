/// An attribute in a model's source, with its spelling in the source.
package struct ModelAttribute: Hashable, Sendable {
    /// How the attribute is written: as Xcode does, or with other white space before the name, around `=`, or other
    /// quotes.
    indirect enum Spelling: Hashable, Sendable {
        case usual
        case own(before: String, equals: String, quote: Unicode.Scalar)
    }

    package let name: String
    /// The text between the quotes.
    private(set) var raw: String
    var spelling: Spelling = .usual

    /// The value, with references in the raw text resolved.
    package var value: String { MarkupText.decoded(raw) }

    init(name: String, raw: String, spelling: Spelling) {
        self.name = name
        self.raw = raw
        self.spelling = spelling
    }

    /// An attribute in the spelling of Xcode.
    package init(_ name: String, _ value: String) {
        self.name = name
        raw = MarkupText.encoded(value)
    }

    /// Sets the value. `>` need not be escaped; it is if the former value had it escaped.
    mutating func setValue(_ value: String) {
        let isEscaped = raw.contains("&gt;") && !raw.contains(">")
        raw = MarkupText.encoded(value, quote: quote)
        if isEscaped { raw = raw.replacing(">", with: "&gt;") }
    }

    private var quote: Unicode.Scalar {
        guard case .own(_, _, let quote) = spelling else { return "\"" }
        return quote
    }

    /// The white space before the name.
    var lead: String {
        guard case .own(let before, _, _) = spelling else { return " " }
        return before
    }

    func write(to text: inout String) {
        guard case .own(let before, let equals, let quote) = spelling else {
            text += " \(name)=\"\(raw)\""
            return
        }
        text += "\(before)\(name)\(equals)\(quote)\(raw)\(quote)"
    }
}
