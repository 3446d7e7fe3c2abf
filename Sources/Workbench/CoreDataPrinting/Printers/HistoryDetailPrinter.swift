import CoreDataWorkbench

/// Prints transactions in full: who made them and when, then a line for each change.
package final class HistoryDetailPrinter: HistoryPrinting {
    private let output: StandardOutput
    private let width = Terminal.width
    private var counts: [ChangeRecord.Kind: Int] = [:]

    package init(_ output: StandardOutput) { self.output = output }

    package func print(_ part: HistoryPart) throws {
        switch part {
        case .transaction(let transaction): begin(transaction)
        case .change(let entry): add(entry)
        case .end:
            let numbers = [ChangeRecord.Kind.insert, .update, .delete].map { counts[$0, default: 0] }
            line("\n\(numbers[0]) inserted, \(numbers[1]) updated, \(numbers[2]) deleted")
        }
        try output.check()
    }

    package func pause() {}

    package func finish() {}

    private func begin(_ transaction: HistoryTransaction) {
        counts = [:]
        let facts = [
            ("number", "\(transaction.number)"), ("time", transaction.timestamp), ("author", transaction.author),
            ("context", transaction.contextName), ("process", transaction.processID),
            ("bundle", transaction.bundleID),
        ]
        for (name, text) in facts {
            line(name.padding(toLength: 8, withPad: " ", startingAt: 0) + " " + PrintableText.escaped(text ?? "nil"))
        }
        line("")
    }

    private func add(_ entry: HistoryEntry) {
        counts[entry.kind, default: 0] += 1
        let object = PrintableText.escaped(entry.objectID ?? "(an object of an entity that the model does not have)")
        let names = entry.updatedProperties.map { PrintableText.escaped($0) }.joined(separator: ", ")
        line("\(entry.type)  \(object)" + (names.isEmpty ? "" : "  \(names)"))
        if let changes = entry.valueChanges {
            for change in changes { line("        " + change.line(limit: width ?? .max)) }
        } else {
            for (name, reading) in entry.tombstone {
                line("        \(PrintableText.escaped(name)) = \(Cell.table(reading, limit: width ?? .max))")
            }
        }
    }

    private func line(_ text: String) {
        output.line(width.map { DisplayWidth.truncated(text, to: $0) } ?? text)
    }
}

extension ValueChange {
    /// `name: old -> new`
    package func line(limit: Int) -> String {
        "\(PrintableText.escaped(name)): \(Cell.table(old, limit: limit)) -> \(Cell.table(new, limit: limit))"
    }
}
