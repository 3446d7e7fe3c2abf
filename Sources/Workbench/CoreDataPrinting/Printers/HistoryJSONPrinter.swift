import CoreDataWorkbench

/// Prints a history as a JSON array with one line for each transaction.
package final class HistoryJSONPrinter: HistoryPrinting {
    private let output: StandardOutput
    private var isEmpty = true
    private var isFirstChange = true

    package init(_ output: StandardOutput) { self.output = output }

    package func print(_ part: HistoryPart) throws {
        switch part {
        case .transaction(let transaction):
            output.write((isEmpty ? "[\n" : ",\n") + transaction.jsonStart)
            (isEmpty, isFirstChange) = (false, true)
        case .change(let entry):
            output.write((isFirstChange ? "" : ",") + JSONWriter.line(entry.json))
            isFirstChange = false
        case .end: output.write(HistoryTransaction.jsonEnd)
        }
        try output.check()
    }

    package func pause() {}

    package func finish() { output.line(isEmpty ? "[]" : "\n]") }
}
