/// Splits a line into the words of an edit, and quotes words for such a line.
enum EditWords {
    /// Splits a line at white space outside of quotes; between double quotes `\` escapes the next character.
    ///
    /// - Throws: `ModelEditError` of code `malformedEdit` for a quote that is not closed.
    static func words(_ line: String) throws -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = line[...]
        while let character = rest.popFirst() {
            if character == "\\", quote == "\"", let next = rest.popFirst() {
                word = (word ?? "") + String(next)
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else {
            throw ModelEditError(.malformedEdit, subject: "'\(line.prefix(200))'", cause: "a quote has no end")
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// A word as it is written in a line: in double quotes if it is empty or has white space, quotes or `\`.
    static func quoted(_ word: String) -> String {
        guard word.isEmpty || word.contains(where: { $0.isWhitespace || "\"'\\".contains($0) }) else { return word }
        return "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
