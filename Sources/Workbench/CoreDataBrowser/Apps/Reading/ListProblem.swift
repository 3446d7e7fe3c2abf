import CoreData

/// An invalid part of an application's files. The part is ignored, and the rest of the application works.
package struct ListProblem: Sendable, Equatable {
    package let file: String
    /// The path of keys and indexes to the value: `sections.1.rows.2.class`.
    package let place: String
    package let text: String

    /// `{"file", "place", "text"}`
    var json: JSONValue {
        .object([
            ("file", .string(PrintableText.escaped(file, limit: 120))),
            ("place", .string(PrintableText.escaped(place, limit: 240))),
            ("text", .string(PrintableText.escaped(text, limit: 400))),
        ])
    }
}

/// Collects the problems that are found while files are read; not thread-safe.
final class ListProblemCollector {
    private static let limit = 200
    private(set) var all: [ListProblem] = []

    /// Notes a problem; those beyond 200 are dropped.
    func add(_ file: String, place: String, text: String) {
        guard all.count < Self.limit else { return }
        all.append(ListProblem(file: file, place: place, text: text))
    }
}
