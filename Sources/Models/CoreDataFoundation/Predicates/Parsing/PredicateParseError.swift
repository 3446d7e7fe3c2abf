/// A format string does not parse: where, what was found and what was expected.
public struct PredicateParseError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The complete format string.
    public let text: String
    /// The place of the error, in characters from the start of the text.
    public let position: Int
    /// The text at that place.
    public let found: String
    /// What the parser expected there.
    public let expected: String

    package init(text: String, position: Int, found: String, expected: String) {
        self.text = text
        self.position = position
        self.found = found
        self.expected = expected
    }

    /// The line of the error, from 1.
    public var line: Int { 1 + before.count(where: \.isNewline) }

    /// The column of the error in its line, in characters from 1.
    public var column: Int { 1 + lineStart.count }

    /// The text for messages and logs.
    public var description: String {
        let line = line
        let place = line == 1 ? "" : " (line \(line), column \(column))"
        return "Unable to parse the format string at character \(position + 1)\(place): "
            + "found \(found), expected \(expected)\n\(excerpt)"
    }

    /// The description as an error.
    public var errorDescription: String? { description }

    /// The line of the error with a caret below it; at most 80 characters of a long line are shown.
    public var excerpt: String {
        let start = lineStart
        let rest = text.dropFirst(position).prefix { !$0.isNewline }
        let shown = (start.suffix(50) + rest.prefix(80)).prefix(80).map { $0 == "\t" ? " " : $0 }
        return String(shown) + "\n" + String(repeating: " ", count: min(start.count, 50)) + "^"
    }

    private var before: Substring { text.prefix(position) }

    /// The text before the error in its line.
    private var lineStart: Substring {
        let before = before
        guard let end = before.lastIndex(where: \.isNewline) else { return before }
        return before[before.index(after: end)...]
    }
}
