import CoreData

/// Something in the files of an application that cannot be followed; the rest works without it.
package struct ListProblem: Sendable, Equatable {
    package let file: String
    /// Keys and numbers on the way to the value: `sections.1.rows.2.class`.
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

/// Collects what is wrong while files are read; not for several threads.
final class ListProblemCollector {
    private static let limit = 200
    private(set) var all: [ListProblem] = []

    /// Notes a problem; beyond 200 they are no longer kept.
    func add(_ file: String, place: String, text: String) {
        guard all.count < Self.limit else { return }
        all.append(ListProblem(file: file, place: place, text: text))
    }
}
