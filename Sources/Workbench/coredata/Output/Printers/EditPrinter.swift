import CoreDataBrowserServer

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
