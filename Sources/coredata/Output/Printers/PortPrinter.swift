import CoreDataInspection
import CoreDataSourcePorting

/// Prints what porting changes and what it leaves to do.
struct PortPrinter {
    let output: StandardOutput

    func print(_ port: SourcePort, isWritten: Bool) {
        for file in port.files {
            if isWritten {
                output.line("written    \(PrintableText.escaped(file.path))")
            } else {
                output.write(file.difference)
            }
        }
        for note in port.notes {
            output.line("\(PrintableText.escaped(note.place)): \(PrintableText.escaped(note.message))")
        }
        for finding in port.findings {
            output.line("\(PrintableText.escaped(finding.place)): note: \(PrintableText.escaped(finding.message))")
        }
        let changed = isWritten ? "written" : "to change"
        // Only the compiler knows that nothing is left: rules find what they look for.
        let left =
            port.findings.isEmpty ? "the rules find nothing left; build it" : "\(port.findings.count) to see to by hand"
        output.line("\(port.count) sources, \(port.files.count) \(changed), \(left)")
    }
}

extension SourcePort {
    /// The changes and findings for programs.
    var json: JSONValue {
        .object([
            ("sources", .integer(Int64(count))),
            ("files", .array(files.map { .object([("path", .string($0.path)), ("diff", .string($0.difference))]) })),
            ("notes", .array(notes.map { .object([("path", .string($0.file)), ("message", .string($0.message))]) })),
            (
                "findings",
                .array(
                    findings.map {
                        .object([
                            ("path", .string($0.file)), ("line", .integer(Int64($0.line))),
                            ("column", .integer(Int64($0.column))), ("message", .string($0.message)),
                        ])
                    })
            ),
        ])
    }
}
