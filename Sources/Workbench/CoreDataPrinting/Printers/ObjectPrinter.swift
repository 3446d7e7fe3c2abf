import CoreDataExchange
import CoreDataWorkbench

/// Prints the objects that match a query, one after another as they are read.
package struct ObjectPrinter {
    let store: OpenStore
    let query: ObjectQuery
    let output: StandardOutput
    package let warnings = Warnings()

    package init(store: OpenStore, query: ObjectQuery, output: StandardOutput) {
        self.store = store
        self.query = query
        self.output = output
    }

    package func printTable(_ routes: [KeyRoute]) throws {
        let width = Terminal.width
        var table = TextTable(
            routes.map { .init(title: $0.title, isNumber: $0.isNumber, isWhole: $0.isObjectID) }, limit: width)
        try store.forEachObject(query) { record in
            let cells = routes.map { route in
                cell(record, route: route) { Cell.table($0, limit: Cell.limit(width), style: route.style) }
            }
            table.add(cells, to: output)
            try output.check()
        }
        table.finish(output)
    }

    package func printCSV(_ routes: [KeyRoute]) throws {
        output.write(CSVLine.text(routes.map(\.text)))
        let isTerminal = isatty(STDOUT_FILENO) == 1
        if try !isTerminal && writeList(routes, as: .csv) { return }
        try store.forEachObject(query) { record in
            let fields = routes.map { cell(record, route: $0, text: \.text) }
            output.write(CSVLine.text(isTerminal ? fields.map { $0.map { PrintableText.escaped($0) } } : fields))
            try output.check()
        }
    }

    /// Prints an array with one line for each object.
    package func printJSON(_ routes: [KeyRoute]?) throws {
        if try writeList(routes, as: .json) { return }
        var separator = "[\n"
        try store.forEachObject(query) { record in
            output.write(separator + JSONWriter.line(record.json(routes, failures: warnings.add)))
            separator = ",\n"
            try output.check()
        }
        output.line(separator == ",\n" ? "\n]" : "[]")
    }

    /// Prints the rows directly, without creating managed objects; returns false if that is not possible.
    private func writeList(_ routes: [KeyRoute]?, as format: ListFormat) throws -> Bool {
        try store.writeList(of: query, routes, as: format, failures: warnings.add) { bytes in
            output.write(bytes)
            try output.check()
        }
    }

    private func cell<Text>(_ record: ObjectRecord, route: KeyRoute, text: (PropertyReading) -> Text) -> Text {
        let reading = record.read(route)
        if case .unreadable(let reason) = reading { warnings.add("\(record.id.shortText) \(route.text)", reason) }
        return text(reading)
    }
}
