import CoreData

/// The result of a request of the fetch console: a row for each group of objects, with its keys and aggregates.
package struct ObjectSummary {
    package struct Column: Sendable {
        package let name: String
        /// The key or aggregate as written in the request.
        package let text: String
        package let isKey: Bool
        package let type: String

        /// Whether its values are numbers.
        package var isNumber: Bool { Self.numbers.contains(type) }
        private static let numbers: Set = ["integer16", "integer32", "integer64", "decimal", "double", "float"]
    }

    package let entity: String
    package let kind: ChartKind
    package let columns: [Column]
    package let rows: [[PropertyReading]]
    /// Whether the rows are complete, rather than cut by a limit.
    package let isComplete: Bool
    /// Sentences about comparisons in the condition that are never true.
    package let notes: [String]

    init(_ question: SummaryRequest, _ rows: [[PropertyReading]], isComplete: Bool) {
        entity = question.query.entity.name ?? ""
        kind = question.kind
        notes = question.query.notes
        columns =
            question.keys.map { Column(name: $0.name, text: $0.text, isKey: true, type: $0.type) }
            + question.aggregates.map { Column(name: $0.name, text: $0.text, isKey: false, type: "\($0.kind)") }
        self.rows = rows
        self.isComplete = isComplete
    }

    package var json: JSONValue {
        .object([
            ("entity", .string(entity)), ("kind", .string(kind.rawValue)),
            ("columns", .array(columns.map(\.json))), ("rows", .array(rows.map { .array($0.map(\.json)) })),
            ("complete", .bool(isComplete)), ("notes", .array(notes.map { .string($0) })),
        ])
    }

    /// The rows as CSV of RFC 4180, after a line of column names.
    package var csv: String {
        CSVLine.text(columns.map(\.name)) + rows.map { CSVLine.text($0.map(\.text)) }.joined()
    }
}

extension ObjectSummary.Column {
    fileprivate var json: JSONValue {
        .object([
            ("name", .string(name)), ("text", .string(text)), ("role", .string(isKey ? "key" : "aggregate")),
            ("type", .string(type)),
        ])
    }
}
