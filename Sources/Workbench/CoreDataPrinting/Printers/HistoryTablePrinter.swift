import CoreDataWorkbench

/// Prints a history as a table with one row for each transaction.
package final class HistoryTablePrinter: HistoryPrinting {
    private let output: StandardOutput
    private let width = Terminal.width
    private var table: TextTable
    private var transaction: HistoryTransaction?
    private var counts: [ChangeRecord.Kind: Int] = [:]

    /// With `isFollowing`, columns get minimum widths, since later rows are not known when the widths are chosen.
    package init(_ output: StandardOutput, isFollowing: Bool) {
        self.output = output
        let least = isFollowing ? 20 : 0
        table = TextTable(
            [
                .init(label: "NUMBER", isNumber: true, leastWidth: least / 3), .init(label: "TIME", leastWidth: least),
                .init(label: "INSERTED", isNumber: true), .init(label: "UPDATED", isNumber: true),
                .init(label: "DELETED", isNumber: true), .init(label: "AUTHOR", leastWidth: least),
                .init(label: "CONTEXT", leastWidth: least), .init(label: "PROCESS", leastWidth: least),
                .init(label: "BUNDLE", leastWidth: least),
            ], limit: width)
        table.advice = "json has them"
    }

    package func print(_ part: HistoryPart) throws {
        switch part {
        case .transaction(let transaction): (self.transaction, counts) = (transaction, [:])
        case .change(let entry): counts[entry.kind, default: 0] += 1
        case .end: if let transaction { table.add(row(transaction), to: output) }
        }
        try output.check()
    }

    package func pause() { table.release(output) }

    package func finish() { table.finish(output) }

    private func row(_ transaction: HistoryTransaction) -> [String] {
        let numbers = [ChangeRecord.Kind.insert, .update, .delete].map { "\(counts[$0, default: 0])" }
        let texts = [transaction.author, transaction.contextName, transaction.processID, transaction.bundleID]
        return ["\(transaction.number)", transaction.timestamp] + numbers
            + texts.map { PrintableText.escaped($0 ?? "nil", limit: Cell.limit(width)) }
    }
}
