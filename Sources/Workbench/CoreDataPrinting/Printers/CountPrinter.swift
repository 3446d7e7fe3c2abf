import CoreDataWorkbench

/// Prints numbers of objects.
package struct CountPrinter {
    let output: StandardOutput

    package init(output: StandardOutput) {
        self.output = output
    }

    package func print(_ count: Int, _ format: OutputFormat) {
        switch format {
        case .table: output.line(RunLanguage.number(count))
        case .json: output.line("{\"count\":\(count)}")
        case .csv: output.write("count\r\n\(count)\r\n")
        }
    }

    package func print(_ groups: ObjectGroups, _ format: OutputFormat) {
        let titles = groups.routes.map(\.text)
        switch format {
        case .json: output.list(groups.json)
        case .csv:
            output.write(CSVLine.text(titles + ["count"]))
            for group in groups.groups { output.write(CSVLine.text(group.values.map(\.text) + ["\(group.count)"])) }
        case .table:
            let width = Terminal.width
            // The number comes first, so that it is never left out for lack of room.
            var table = TextTable(
                [.init(label: "COUNT", isNumber: true)]
                    + groups.routes.map { .init(title: $0.text, isNumber: $0.isNumber) }, limit: width)
            for group in groups.groups {
                let cells = group.values.map { Cell.table($0, limit: Cell.limit(width)) }
                table.add([RunLanguage.number(group.count)] + cells, to: output)
            }
            table.finish(output)
        }
    }
}
