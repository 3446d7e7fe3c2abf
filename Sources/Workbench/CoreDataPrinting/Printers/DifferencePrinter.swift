import CoreDataMigrationPlanning
import CoreDataWorkbench

/// Prints the differences of two models.
package struct DifferencePrinter {
    let output: StandardOutput
    let width: Int?

    package init(output: StandardOutput, width: Int?) {
        self.output = output
        self.width = width
    }

    package func print(_ report: ModelComparisonReport) {
        line("old  \(report.old.name)  \(report.old.model.versionChecksum)")
        line("new  \(report.new.name)  \(report.new.model.versionChecksum)")
        line("")
        if report.difference.isEmpty { line("The models say the same.") }
        for change in report.difference.changes { print(change) }
        line("")
        print(report.analysis)
    }

    private func print(_ change: ModelChange) {
        let mark = change.changesVersionHash ? "  #" : ""
        let subject = change.item.kind == .model ? "model" : "\(change.item.kind.rawValue) \(change.item.path)"
        switch change.action {
        case .added: line("+ \(subject)\(mark)")
        case .removed: line("- \(subject)\(mark)")
        case .changed: line("~ \(subject)\(mark)")
        case .renamed(let name): line("~ \(subject)  renamed from \(name)\(mark)")
        case .moved(let owners): line("~ \(subject)  moved from \(owners.joined(separator: ", "))\(mark)")
        }
        for aspect in change.aspects {
            let mark = aspect.isHashed && change.changesVersionHash ? "  #" : ""
            line("    \(aspect.name): \(aspect.old ?? "(none)") -> \(aspect.new ?? "(none)")\(mark)")
        }
    }

    private func print(_ analysis: MigrationAnalysis) {
        switch analysis.verdict {
        case .unnecessary: line("Migration: not needed, the version hashes are equal")
        case .lightweight: line("Migration: lightweight, it can be inferred")
        case .mappingModel: line("Migration: needs a mapping model, it cannot be inferred")
        }
        list("because", analysis.obstacles)
        list("lost", analysis.losses)
        list("mind", analysis.remarks)
    }

    private func list(_ title: String, _ findings: [MigrationAnalysis.Finding]) {
        for finding in findings {
            let hint = finding.hint.map { " (\($0))" } ?? ""
            line("  \(title): \(finding.item.kind.rawValue) \(finding.item.path): \(finding.reason)\(hint)")
        }
    }

    private func line(_ text: String) {
        let printable = RunLanguage.text(PrintableText.escaped(text))
        output.line(width.map { DisplayWidth.truncated(printable, to: $0) } ?? printable)
    }
}
