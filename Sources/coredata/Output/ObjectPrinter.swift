import CoreDataInspection

/// Prints the objects that a query selects as they come.
struct ObjectPrinter {
    let store: OpenStore
    let query: ObjectQuery
    let output: StandardOutput
    let warnings = Warnings()

    func printTable(_ routes: [KeyRoute]) throws {
        let width = Terminal.width
        var table = TextTable(routes.map { .init(title: $0.text, isNumber: $0.isNumber) }, limit: width)
        try store.forEachObject(query) { record in
            table.add(routes.map { cell(record, $0) { Cell.table($0, limit: width ?? .max) } }, to: output)
            try output.check()
        }
        table.finish(output)
    }

    func printCSV(_ routes: [KeyRoute]) throws {
        output.write(CSVLine.text(routes.map(\.text)))
        try store.forEachObject(query) { record in
            let fields = routes.map { cell(record, $0, Cell.csv) }
            output.write(
                CSVLine.text(isatty(STDOUT_FILENO) == 1 ? fields.map { $0.map { PrintableText.escaped($0) } } : fields))
            try output.check()
        }
    }

    /// Prints an array with an object a line.
    func printJSON(_ routes: [KeyRoute]?) throws {
        var separator = "[\n"
        try store.forEachObject(query) { record in
            output.write(separator + JSONWriter.line(record.json(routes, failures: warnings.add)))
            separator = ",\n"
            try output.check()
        }
        output.line(separator == ",\n" ? "\n]" : "[]")
    }

    private func cell<Text>(_ record: ObjectRecord, _ route: KeyRoute, _ text: (Reading) -> Text) -> Text {
        let reading = record.read(route)
        if case .unreadable(let reason) = reading { warnings.add("\(record.id.shortText) \(route.text)", reason) }
        return text(reading)
    }
}
