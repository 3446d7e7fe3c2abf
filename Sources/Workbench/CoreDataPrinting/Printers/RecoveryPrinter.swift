import CoreDataRepair

/// Prints the report on the recovery of a damaged store.
package struct RecoveryPrinter {
    let output: StandardOutput

    package init(output: StandardOutput) {
        self.output = output
    }

    package func print(_ report: RecoveryReport) {
        line(
            "model: \(report.model)" + (report.hasSchema ? "" : "; the file does not say any more which tables it has"))
        line("identity: " + (report.keepsIdentity ? "that of the damaged store" : "a new one"))
        line(
            "pages: \(report.pages), of which \(report.unreadablePages) cannot be read; \(report.unreadableCells) cells are not rows"
        )
        for (entity, count) in report.rows.sorted(by: { $0.key < $1.key }) { line("\(entity): \(count)") }
        line(
            "\(Count.objects(report.rowCount)), \(report.orphans) of them from pages that nothing leads to; \(report.links) links"
        )
        if report.doubled > 0 { line("\(report.doubled) rows were found more than once; the newest are kept") }
        list("refused", report.refused)
        list("values that became nil", report.emptied)
        list("copied as they are: rows of the table", report.otherRows)
        list("not recovered: rows of the table", report.leftOut)
        for remark in report.remarks { line("remark: \(remark)") }
        FindingPrinter(output: output).print(report.check)
    }

    private func list(_ title: String, _ counts: [String: Int]) {
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { line("\(title) (\(count)): \(name)") }
    }

    private func line(_ text: String) { output.say(PrintableText.escaped(text)) }
}
