import CoreDataBrowserServer

/// Prints the result of edits of a model's source, or what they would change.
package struct EditPrinter {
    let output: StandardOutput

    package init(output: StandardOutput) {
        self.output = output
    }

    package func print(_ outcome: EditOutcome, isJSON: Bool) {
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
        for note in outcome.notes { output.say("note: \(PrintableText.escaped(note))") }
    }
}
