import CoreDataRepair
import CoreDataWorkbench

/// Prints the results of the SQL console.
package struct SQLPrinter {
    let output: StandardOutput

    package init(output: StandardOutput) {
        self.output = output
    }

    package func print(_ answer: SQLAnswer, _ form: String) {
        switch form {
        case "json": output.line(JSONWriter.lines(answer.json))
        case "jsonl": for row in answer.objects { output.line(JSONWriter.line(row)) }
        case "csv": output.write(isatty(STDOUT_FILENO) == 1 ? printable(answer.csv) : answer.csv)
        default: printTable(answer)
        }
    }

    /// Warns on standard error that there may be more rows.
    package func warn(of answer: SQLAnswer) {
        let cause: String
        switch answer.stop {
        case nil: return
        case .rows: cause = "there are more than \(answer.rows.count) rows; --limit N gives more"
        case .size:
            cause = "the answer was cut after \(answer.rows.count) rows, as it is too large; ask for fewer columns"
        case .time: cause = "stopped after \(answer.rows.count) rows, as the time is up; --timeout SECONDS gives more"
        }
        StandardError.write("\(Release.name): warning: \(cause)")
    }

    package func print(_ names: SQLNames, _ form: String) {
        guard form == "table" else { return output.line(JSONWriter.lines(names.json)) }
        var text = TextTable(
            ["table", "column", "type", "is"].map { .init(title: $0, isWhole: true) }, limit: Terminal.width)
        for table in names.tables {
            for column in table.columns {
                let cells = [table.name, column.name, column.type, column.meaning?.words ?? ""]
                text.add(cells.map { PrintableText.escaped($0) }, to: output)
            }
        }
        text.finish(output)
    }

    private func printTable(_ answer: SQLAnswer) {
        let width = Terminal.width
        var text = TextTable(
            answer.columns.enumerated().map { index, column in
                .init(
                    title: column.name, isNumber: answer.rows.allSatisfy { $0[index].isNumber } && !answer.rows.isEmpty)
            }, limit: width)
        text.advice = "choose columns in the statement"
        for row in answer.rows {
            text.add(zip(answer.columns, row).map { cell($1, column: $0, limit: Cell.limit(width)) }, to: output)
        }
        text.finish(output)
    }

    private func cell(_ cell: SQLCell, column: SQLAnswer.Column, limit: Int) -> String {
        guard let text = cell.text else { return "nil" }
        if case .blob(_, let bytes) = cell { return "(\(bytes) bytes)" }
        let date = column.meaning?.isDate == true ? cell.date.map { " (\($0))" } : nil
        return PrintableText.escaped(text, limit: limit) + (date ?? "")
    }

    /// The text with control characters escaped, line by line.
    private func printable(_ text: String) -> String {
        text.split(separator: "\r\n", omittingEmptySubsequences: false)
            .map { PrintableText.escaped(String($0)) }.joined(separator: "\r\n")
    }
}

extension SQLCell {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .real, .null: true
        default: false
        }
    }
}

extension SQLColumnMeaning {
    /// `Hero.name`, and the meaning of the column if it does not contain the property's value.
    fileprivate var words: String {
        let path = [entity, property].compactMap(\.self).joined(separator: ".")
        return switch kind {
        case .key: "the object's key"
        case .entityNumber: "the number of its entity"
        case .version: "how often it was saved"
        case .attribute: isDate ? path + (path.isEmpty ? "" : ", ") + "a date: seconds since 2001" : path
        case .relationship: "\(path), the other's key"
        case .relationshipEntity: "\(path), the other's entity"
        case .order: "\(path), the place"
        }
    }
}
