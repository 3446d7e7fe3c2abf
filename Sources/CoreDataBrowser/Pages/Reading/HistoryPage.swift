import CoreData

/// `GET /stores/{store}/history`: the newest transactions, or those before one.
struct HistoryPage: ViewPage {
    let route = Route("GET /stores/{store}/history")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let report = HistoryReport(
            limit: try call.number("limit", default: 50, in: 1...500), before: call.query["before"])
        return .json(try await call.store.read(for: call.access) { try report.json($0) })
    }
}
