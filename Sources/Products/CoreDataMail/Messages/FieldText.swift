import CoreDataGraph

/// What may stand in a field of a message's head.
enum FieldText {
    /// The longest text that is taken, in bytes: enough for any subject.
    static let longest = 10_000

    /// Refuses what could begin another field, or end the head: line breaks and other control characters.
    ///
    /// - Parameter part: What the text is, as the error calls it.
    static func check(_ text: String, of part: String) throws {
        guard text.utf8.count <= longest else {
            throw MailError(.invalidMessage, "\(part) is longer than \(longest) bytes", hint: "shorten it")
        }
        guard !text.unicodeScalars.contains(where: isControl) else {
            throw MailError(
                .invalidMessage, "\(part) has a line break or another control character",
                hint: "write it in one line; a line break there would let a text add fields of its own to the message")
        }
    }

    /// A text of others in a message for people: one line, of bounded length.
    static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(120) {
            if isControl(scalar) { shown += "\u{FFFD}" } else { shown.unicodeScalars.append(scalar) }
        }
        return shown
    }

    /// U+2028 and U+2029 end lines too, in some readers.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.value == 0x2028 || scalar.value == 0x2029
    }
}
