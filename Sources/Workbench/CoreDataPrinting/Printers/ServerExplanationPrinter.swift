import CoreDataViewing

/// Prints how a store on a server executes a fetch; lines are not cut, so that statements can be copied.
package struct ServerExplanationPrinter {
    let output: StandardOutput
    /// Whether the sent values are printed, rather than only their types and sizes.
    let showsValues: Bool
    /// Whether the expressions of indexes of folded texts are printed completely, as they are sent to the server.
    let showsWhole: Bool

    package init(output: StandardOutput, showsValues: Bool, showsWhole: Bool) {
        self.output = output
        self.showsValues = showsValues
        self.showsWhole = showsWhole
    }

    package func print(_ explanation: ServerFetchExplanation) {
        output.section("Decided", explanation.decisions)
        if !explanation.parts.isEmpty { output.section("Comparisons", explanation.parts) }
        for (number, question) in explanation.explanation.questions.enumerated() {
            output.section(
                number == 0 ? "SQL" : "SQL, since a row was in doubt",
                [showsWhole ? question.query.sql : question.abbreviatedSQL])
            if !showsWhole, !question.abbreviations.isEmpty {
                output.section("Abbreviated; --whole shows it", question.abbreviations.map(abbreviation))
            }
            let parameters = question.query.parameters
            if !parameters.isEmpty { output.section("Parameters", parameters.enumerated().map(parameter)) }
            output.section("Plan", question.plan.lines)
        }
        let indexes = explanation.indexes
        output.section("Indexes", indexes.isEmpty ? ["none is used"] : indexes)
        let missing = explanation.explanation.missingIndexes
        if !missing.isEmpty { output.section("Not in the store, and would help", missing) }
        if !explanation.notes.isEmpty { output.section("Notes", explanation.notes) }
        output.section("Cost", explanation.cost, isLast: true)
    }

    private func abbreviation(_ abbreviation: ServerExplanation.Abbreviation) -> String {
        "\(abbreviation.text)  the expression of the index \(abbreviation.index.lowercased())"
    }

    private func parameter(_ number: Int, _ parameter: SQLParameter) -> String {
        "$\(number + 1)  " + (showsValues ? value(parameter) : parameter.summary)
    }

    private func value(_ parameter: SQLParameter) -> String {
        switch parameter {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): "'\(text)'"
        case .blob(let data): "\\x" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
