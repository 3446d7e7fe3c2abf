import CoreDataRepair

/// Prints the findings of a check of a store: a line for each, with the remedy below, and the totals at the end.
package struct FindingPrinter {
    let output: StandardOutput

    package init(output: StandardOutput) {
        self.output = output
    }

    package func print(_ report: StoreCheckReport) {
        var listed: [StoreFinding.Kind: Int] = [:]
        for finding in report.findings.listed {
            listed[finding.kind, default: 0] += 1
            line(text(of: finding))
            if let remedy = finding.remedy {
                output.line(
                    "    " + RunLanguage.text("repair") + ": " + RunLanguage.text(PrintableText.escaped(remedy)))
            }
        }
        for (kind, count) in report.findings.counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let more = count - listed[kind, default: 0]
            if more > 0 { line("\(kind.rawValue): \(more) more") }
        }
        for remark in report.remarks { line("remark: \(remark)") }
        line(summary(of: report))
    }

    /// Prints a finding and what was done to repair it.
    package func print(repaired finding: StoreFinding) {
        line("repaired \(text(of: finding)) \(finding.remedy ?? "")")
    }

    /// Prints the totals of a repair, and the findings that are left.
    package func print(_ repaired: RepairedStore) {
        if let backup = repaired.backup { line("The store as it was: \(backup.path)") }
        for remark in repaired.remarks { line("remark: \(remark)") }
        line("\(repaired.count) repaired in \(repaired.url.path).")
        print(repaired.check)
    }

    private func text(of finding: StoreFinding) -> String {
        let place = [finding.object ?? finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
        return "\(finding.kind.rawValue): " + (place.isEmpty ? "" : "\(place): ") + finding.sentence
    }

    private func summary(of report: StoreCheckReport) -> String {
        guard !report.isSound else { return "The store is sound." }
        let count = report.findings.count
        return "\(count) finding\(count == 1 ? "" : "s"), of which \(report.findings.repairable) can be repaired."
    }

    /// Prints a line without cutting it, since the end of a sentence may be its important part.
    private func line(_ text: String) { output.say(PrintableText.escaped(text)) }
}
