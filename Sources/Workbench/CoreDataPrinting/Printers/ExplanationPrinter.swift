import CoreDataViewing

/// Prints how a fetch is executed; lines are not cut, so that statements can be copied.
package struct ExplanationPrinter {
    let output: StandardOutput

    package init(output: StandardOutput) {
        self.output = output
    }

    package func print(_ explanation: FetchExplanation) {
        section("SQL", [explanation.explanation.sql])
        section("Plan", explanation.explanation.planLines)
        section("Cost", cost(of: explanation.explanation))
        if !explanation.notes.isEmpty { section("Notes", explanation.notes) }
        guard let suggestion = explanation.suggestion else {
            return section("Index", [explanation.reason ?? ""], isLast: true)
        }
        section("Index", comparison(suggestion, explanation.explanation))
        section("In the model, for entity \(suggestion.candidate.entity)", suggestion.candidate.modelLines)
        section("In the store, as Core Data makes it", [suggestion.sql])
        section("Plan with it", suggestion.explanation.planLines, isLast: true)
    }

    private func cost(of explanation: QueryExplanation) -> [String] {
        var lines = ["rows returned  \(explanation.rowsReturned)", "scan steps     \(explanation.scanSteps)"]
        switch explanation.visits {
        case nil: lines.append("rows visited   unknown: counting them would change the plan")
        case let visits?:
            for visit in visits { lines.append("rows visited   \(visit.rows) of \(visit.table) (\(visit.alias))") }
        }
        lines.append("sort           " + (explanation.isSorted ? "in a temporary b-tree" : "none"))
        if explanation.makesIndex { lines.append("index          made by SQLite for this execution alone") }
        return lines
    }

    private func comparison(_ result: IndexTrialResult, _ before: QueryExplanation) -> [String] {
        let properties = result.candidate.elements.map { $0.property + ($0.isAscending ? "" : " descending") }
        let what = "over \(properties.joined(separator: ", ")) of \(result.candidate.entity) would help"
        guard result.isMeasured else {
            return [what + "; the file is too large for a copy with its rows, so only the plan was tried"]
        }
        let sort = before.isSorted && !result.explanation.isSorted ? ", and nothing is sorted" : ""
        return [what + ": \(result.explanation.rowsVisited) rows visited instead of \(before.rowsVisited)\(sort)"]
    }

    private func section(_ title: String, _ lines: [String], isLast: Bool = false) {
        output.section(title, lines, isLast: isLast)
    }
}

extension StandardOutput {
    /// Writes a title, lines below it, and an empty line unless this is the last section.
    func section(_ title: String, _ lines: [String], isLast: Bool = false) {
        line(PrintableText.escaped(title))
        for line in lines { self.line("  " + PrintableText.escaped(line)) }
        if !isLast { line("") }
    }
}
