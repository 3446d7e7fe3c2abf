/// A format string does not parse: where, what was found and what was expected.
public struct PredicateParseError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The whole format string.
    public let text: String
    /// The place of the error, in characters from the start of the text.
    public let position: Int
    /// What stands at that place.
    public let found: String
    /// What could have stood there.
    public let expected: String

    package init(text: String, position: Int, found: String, expected: String) {
        self.text = text
        self.position = position
        self.found = found
        self.expected = expected
    }

    /// The text for messages and logs.
    public var description: String {
        "Unable to parse the format string at character \(position): found \(found), expected \(expected)\n\(excerpt)"
    }

    /// The description, for those who only know of errors.
    public var errorDescription: String? { description }

    /// Two lines: the text around the place and a caret under it; at most 80 characters of a long text are shown.
    public var excerpt: String {
        let characters = text.dropFirst(max(0, position - 50)).prefix(80).map { $0.isNewline || $0 == "\t" ? " " : $0 }
        return String(characters) + "\n" + String(repeating: " ", count: min(position, 50)) + "^"
    }
}
