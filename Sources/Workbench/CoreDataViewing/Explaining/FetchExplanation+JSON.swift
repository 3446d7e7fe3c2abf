import CoreData

extension FetchExplanation {
    /// The explanation as one object of JSON.
    package var json: JSONValue {
        .object([
            ("entity", .string(entity)), ("sql", .string(explanation.sql)),
            ("plan", .array(explanation.plan.map(Self.json))), ("rows", rows(of: explanation)),
            ("sortsInTemporaryTree", .bool(explanation.isSorted)),
            ("makesAutomaticIndex", .bool(explanation.makesIndex)), ("suggestion", suggestion.map(json) ?? .null),
            ("reason", .text(reason)), ("notes", .array(notes.map { .string($0) })),
        ])
    }

    private func rows(of explanation: QueryExplanation) -> JSONValue {
        let visits = explanation.visits.map { visits in
            JSONValue.array(
                visits.map {
                    .object([
                        ("table", .string($0.table)), ("alias", .string($0.alias)), ("rows", .count($0.rows)),
                    ])
                })
        }
        return .object([
            ("returned", .count(explanation.rowsReturned)), ("scanSteps", .count(explanation.scanSteps)),
            ("visited", visits ?? .null),
        ])
    }

    private func json(_ result: IndexTrialResult) -> JSONValue {
        let elements = result.candidate.elements.map {
            JSONValue.object([("property", .string($0.property)), ("ascending", .bool($0.isAscending))])
        }
        return .object([
            ("entity", .string(result.candidate.entity)), ("name", .string(result.candidate.name)),
            ("elements", .array(elements)), ("model", .string(result.candidate.modelLines.joined(separator: "\n"))),
            ("sql", .string(result.sql)), ("plan", .array(result.explanation.plan.map(Self.json))),
            ("isMeasured", .bool(result.isMeasured)),
            ("rows", result.isMeasured ? rows(of: result.explanation) : .null),
            ("sortsInTemporaryTree", .bool(result.explanation.isSorted)),
        ])
    }

    private static func json(_ step: QueryExplanation.Step) -> JSONValue {
        .object([("detail", .string(step.detail)), ("parts", .array(step.parts.map(json)))])
    }
}
