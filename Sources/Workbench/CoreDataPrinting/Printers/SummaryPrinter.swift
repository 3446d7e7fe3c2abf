import CoreDataViewing
import CoreDataWorkbench

/// Prints the results of the fetch console.
package enum SummaryPrinter {
    /// The output: a text, or a table that is fitted to the terminal.
    package enum Printed {
        case text(String)
        case table(ObjectSummary)

        package func write(to output: StandardOutput) {
            switch self {
            case .text(let text): output.write(text)
            case .table(let summary): SummaryPrinter.print(summary, output, width: Terminal.width)
            }
        }

        package func write(to file: OutputFile) throws {
            switch self {
            case .text(var text): try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0)) }
            case .table(let summary):
                for row in [summary.columns.map(\.name)] + summary.rows.map({ $0.map { $0.text ?? "nil" } }) {
                    try file.line(row.map { PrintableText.escaped($0) }.joined(separator: "\t"))
                }
            }
        }
    }

    package static func text(of summary: ObjectSummary, _ form: String) throws -> Printed {
        switch form {
        case "json": .text(JSONWriter.lines(summary.json) + "\n")
        case "csv": .text(summary.csv)
        case "svg": .text(try ChartDrawing(summary).svg)
        default: .table(summary)
        }
    }

    private static func print(_ summary: ObjectSummary, _ output: StandardOutput, width: Int?) {
        var text = TextTable(
            summary.columns.map { .init(title: $0.name, isNumber: $0.isNumber) }, limit: width)
        text.advice = "ask for fewer"
        for row in summary.rows { text.add(row.map { Cell.table($0, limit: Cell.limit(width)) }, to: output) }
        text.finish(output)
    }
}
