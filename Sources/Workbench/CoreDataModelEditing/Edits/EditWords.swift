/// The words of an edit in a line of text.
enum EditWords {
    /// Cuts a line at blanks; quotes hold words together, and in double ones `\` takes the next character as it is.
    ///
    /// - Throws: `ModelEditError` of code `malformedEdit` for quotes without an end.
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

    /// A word as written in a line.
    static func quoted(_ word: String) -> String {
        guard word.isEmpty || word.contains(where: { $0.isWhitespace || "\"'\\".contains($0) }) else { return word }
        return "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
