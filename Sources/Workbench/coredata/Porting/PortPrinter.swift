import CoreData
import CoreDataPrinting

/// Prints the changes of `port`, and what is left to do by hand.
struct PortPrinter {
    let output: StandardOutput

    func print(_ port: ReadPortReport, isWritten: Bool) {
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
        // The rules find only what they look for; only the compiler shows that nothing is left to do.
        let left =
            port.findings.isEmpty ? "the rules find nothing left; build it" : "\(port.findings.count) to see to by hand"
        output.say("\(port.sources) sources, \(port.files.count) \(changed), \(left)")
    }
}
