import CoreDataInspection

/// What became of edits of a file.
struct EditOutcome {
    let path: String
    let version: String
    /// What else was changed or could not be, in sentences.
    let notes: [String]
    /// As `diff -u` prints it; empty without a change.
    let difference: String
    let isWritten: Bool
}

/// Prints what edits of a model's source have done, or would do.
struct EditPrinter {
    let output: StandardOutput

    func print(_ outcome: EditOutcome, isJSON: Bool) {
        guard !isJSON else { return output.line(JSONWriter.lines(outcome.json)) }
        if outcome.isWritten {
            output.line("written    \(PrintableText.escaped(outcome.path))")
        } else if outcome.difference.isEmpty {
            output.line("unchanged  \(PrintableText.escaped(outcome.path))")
        } else {
            output.write(outcome.difference)
            if outcome.difference.utf8.last != UInt8(ascii: "\n") { output.line("") }
        }
        for note in outcome.notes { output.line("note: \(PrintableText.escaped(note))") }
    }
}

extension EditOutcome {
    /// The outcome for programs.
    fileprivate var json: JSONValue {
        .object([
            ("path", .string(path)), ("version", .string(version)), ("isChanged", .bool(!difference.isEmpty)),
            ("isWritten", .bool(isWritten)), ("notes", .array(notes.map { .string($0) })),
            ("diff", .string(difference)),
        ])
    }
}
