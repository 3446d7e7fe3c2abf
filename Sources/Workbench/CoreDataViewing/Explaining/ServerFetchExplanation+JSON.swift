import CoreData

extension ServerFetchExplanation {
    /// The explanation as one object of JSON.
    package var json: JSONValue {
        let outline = explanation.outline
        return .object([
            ("entity", .string(entity)), ("decided", .string(outline.place.rawValue)),
            ("parts", .array(outline.parts.map(Self.json))),
            ("sorted", isSorted ? .string(outline.sortReason == nil ? "server" : "memory") : .null),
            ("sortReason", isSorted ? .text(outline.sortReason) : .null),
            ("questions", .array(explanation.questions.map(Self.json))),
            ("indexes", .array(indexes.map { .string($0) })),
            ("missingIndexes", .array(explanation.missingIndexes.map { .string($0) })), ("rows", rows),
            ("notes", .array(notes.map { .string($0) })),
        ])
    }

    private var rows: JSONValue {
        guard let outcome = explanation.outcome else { return .null }
        return .object([
            ("answered", .count(outcome.answered)), ("sent", .count(explanation.sent)),
            ("examined", .count(explanation.examined)), ("evaluatedInMemory", .count(outcome.evaluated)),
        ])
    }

    private static func json(_ part: PushedPart) -> JSONValue {
        .object([
            ("comparison", .string(part.comparison)), ("decided", .string(part.place.rawValue)),
            ("reason", .text(part.reason)),
        ])
    }

    private static func json(_ question: ServerExplanation.Question) -> JSONValue {
        .object([
            ("sql", .string(question.query.sql)),
            ("parameters", .array(question.query.parameters.map { .string($0.summary) })),
            ("plan", question.plan.root.map(json) ?? .null),
        ])
    }

    private static func json(_ step: ServerPlan.Step) -> JSONValue {
        .object([
            ("detail", .string(step.detail)), ("kind", .string(step.kind)), ("table", .text(step.table)),
            ("index", .text(step.index)), ("expected", .real(step.expected)),
            ("rows", step.rows.map { .real($0) } ?? .null), ("leftOut", .real(step.leftOut)),
            ("parts", .array(step.parts.map(json))),
        ])
    }
}

extension SQLParameter {
    /// The type and the size of the value, without the value itself.
    package var summary: String {
        switch self {
        case .null: "null"
        case .integer: "integer"
        case .real: "real"
        case .text(let text): "text of \(text.unicodeScalars.count) characters"
        case .blob(let data): "\(data.count) bytes"
        }
    }
}
