import CoreData

/// The request to the fetch console that the query of an address describes.
struct ConsoleRequest: Sendable {
    let query: [String: String]
    let limit: Int

    /// The rows, from objects that the user may read.
    ///
    /// - Throws: `InspectionError` that says which part is invalid; `BrowserFailure` 400 for a missing entity or
    ///   unknown kind, 503 for a request that takes too long.
    func summary(_ reading: StoreReading) throws -> ObjectSummary {
        let opened = reading.opened
        guard let name = given("entity") else {
            let names = opened.entities.compactMap(\.name).prefix(10).joined(separator: ", ")
            throw BrowserFailure.badRequest("'entity' is missing", hint: "the store has \(names)")
        }
        guard let kind = ChartKind(rawValue: query["kind"] ?? "table") else {
            throw BrowserFailure.badRequest("'kind' is bar, line, scatter or table")
        }
        let question = try SummaryRequest(
            opened.entity(named: name), in: opened.store, where: given("where"), group: given("group"),
            aggregates: [query["aggregate"] ?? ""], having: given("having"), sort: given("sort"), limit: limit,
            kind: kind)
        let predicate = reading.limited(question.query).predicate
        return try reading.inTime(hint: "ask for fewer objects by a condition") {
            try reading.context.summary(of: question, with: predicate, in: opened.store)
        }
    }

    private func given(_ name: String) -> String? {
        guard let text = query[name], !text.allSatisfy(\.isWhitespace) else { return nil }
        return text
    }
}
