import CoreDataPrinting
import CoreDataWorkbench

/// `get`: prints one object in detail.
struct GetCommand: Command {
    let syntax = CommandSyntax(
        name: ["get"], summary: "Prints one object: all attributes, and where its relationships lead.",
        operands: [.store, .object],
        options: [
            Option(
                "decode", value: "ATTRIBUTE",
                help:
                    "Print what the stored bytes of this attribute say, as JSON: {\"kind\", \"value\", \"complete\"}. The kind is "
                    + "keyedArchive, propertyList, json or unknown; nothing of an archive is instantiated."),
            .model, .format([.table, .json]),
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        if let key = arguments["decode"] {
            let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .exporting)
            return output.line(JSONWriter.lines(try store.decodedValue(of: key, at: arguments.operands[1]).json))
        }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        store.reportProblems()
        try store.withObject(at: arguments.operands[1]) { record in
            if arguments.format == .json {
                output.line(JSONWriter.lines(record.json(failures: Warnings().add)))
            } else {
                printDetails(record, output)
            }
        }
    }

    private func printDetails(_ record: ObjectRecord, _ output: StandardOutput) {
        let width = Terminal.width
        var rows = [("objectID", record.id.uri), ("entity", record.object.entity.name ?? "")]
        for (name, reading) in record.attributes + record.relationships {
            if case .unreadable(let reason) = reading { Warnings().add("\(record.id.shortText) \(name)", reason) }
            rows += lines(name, reading, limit: width ?? .max)
        }
        let column = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
        for (name, text) in rows {
            let line = name + String(repeating: " ", count: column - DisplayWidth.of(name) + 2) + text
            // An address is printed completely, since a cut one cannot be used.
            let isAddress = text.hasPrefix("x-coredata://")
            output.line(isAddress ? line : width.map { DisplayWidth.truncated(line, to: $0) } ?? line)
        }
    }

    /// One line for a value, or one line for each member of a to-many relationship.
    private func lines(_ name: String, _ reading: PropertyReading, limit: Int) -> [(String, String)] {
        let title = PrintableText.escaped(name)
        switch reading {
        case .objects(let ids, _) where !ids.isEmpty:
            return ids.enumerated().map { ($0.offset == 0 ? title : "", $0.element.uri) }
        case .object(let id): return [(title, id.uri)]
        default: return [(title, Cell.table(reading, limit: limit))]
        }
    }
}
