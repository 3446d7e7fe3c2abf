import CoreDataInspection
import CoreDataModelEditing

/// What became of edits of a model's source, and of what follows it.
struct EditOutcome {
    struct File {
        let path: String
        /// As `diff -u` prints it; empty without a change.
        let difference: String

        init(_ url: URL, from before: String, to after: String) {
            path = PrintableText.escaped(url.relativePath)
            difference = UnifiedDiff(path: path, from: before, to: after).text
        }
    }

    /// The model's own, then the others.
    let files: [File]
    let version: String
    /// What else was changed or could not be, in sentences.
    let notes: [String]
    let isDryRun: Bool
}

/// Prints what edits of a model's source have done, or would do.
struct EditPrinter {
    let output: StandardOutput

    func print(_ outcome: EditOutcome, isJSON: Bool) {
        guard !isJSON else { return output.line(JSONWriter.lines(outcome.json)) }
        for file in outcome.files {
            if file.difference.isEmpty {
                output.line("unchanged  \(file.path)")
            } else if outcome.isDryRun {
                output.write(file.difference)
            } else {
                output.line("written    \(file.path)")
            }
        }
        for note in outcome.notes { output.line("note: \(PrintableText.escaped(note))") }
    }
}

extension EditOutcome {
    /// The outcome for programs.
    fileprivate var json: JSONValue {
        let isChanged = files.contains { !$0.difference.isEmpty }
        return .object([
            ("version", .string(version)), ("isChanged", .bool(isChanged)),
            ("isWritten", .bool(isChanged && !isDryRun)),
            (
                "files",
                .array(files.map { .object([("path", .string($0.path)), ("diff", .string($0.difference))]) })
            ), ("notes", .array(notes.map { .string($0) })),
        ])
    }
}
