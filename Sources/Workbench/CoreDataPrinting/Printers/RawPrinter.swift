import CoreDataWorkbench

/// Prints the rows of a table as SQLite stores them.
package struct RawPrinter {
    let output: StandardOutput

    package init(output: StandardOutput) {
        self.output = output
    }

    package func print(_ table: RawTable, _ format: OutputFormat, limit: Int, offset: Int) throws {
        switch format {
        case .table: try printTable(table, limit: limit, offset: offset)
        case .json: try printJSON(table, limit: limit, offset: offset)
        case .csv: try printCSV(table, limit: limit, offset: offset)
        }
    }

    private func printTable(_ table: RawTable, limit: Int, offset: Int) throws {
        let width = Terminal.width
        var text = TextTable(
            table.columns.map { .init(title: $0, isWhole: $0.uppercased() == "Z_PK") }, limit: width)
        try table.forEachRow(limit: limit, offset: offset) { row in
            text.add(row.map { Cell.table($0, limit: Cell.limit(width)) }, to: output)
            try output.check()
        }
        text.finish(output)
    }

    private func printCSV(_ table: RawTable, limit: Int, offset: Int) throws {
        output.write(CSVLine.text(table.columns))
        let isTerminal = isatty(STDOUT_FILENO) == 1
        try table.forEachRow(limit: limit, offset: offset) { row in
            output.write(CSVLine.text(row.map(\.text).map { isTerminal ? $0.map { PrintableText.escaped($0) } : $0 }))
            try output.check()
        }
    }

    private func printJSON(_ table: RawTable, limit: Int, offset: Int) throws {
        var separator = "[\n"
        try table.forEachRow(limit: limit, offset: offset) { row in
            let members = zip(table.columns, row).map { ($0, $1.json) }
            output.write(separator + JSONWriter.line(.object(members)))
            separator = ",\n"
            try output.check()
        }
        output.line(separator == ",\n" ? "\n]" : "[]")
    }
}
