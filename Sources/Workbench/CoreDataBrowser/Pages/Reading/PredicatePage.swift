import CoreData

/// `GET /stores/{store}/predicate`: whether a predicate is valid, its error, its completions at the caret, and its
/// tree.
struct PredicatePage: Page {
    let route = Route("GET /stores/{store}/predicate")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let text = call.query["where"] ?? ""
        let caret = call.query["caret"] == nil ? nil : try call.number("caret", default: 0, in: 0...Int(Int32.max))
        let report = PredicateReport(entity: call.query["entity"] ?? "", text: text, caret: caret)
        return .json(try await call.store.read(for: call.access) { try report.json($0) })
    }
}
