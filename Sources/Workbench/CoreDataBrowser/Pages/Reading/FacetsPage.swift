import CoreData

/// `GET /stores/{store}/entities/{entity}/facets`: how often each value of some keys occurs in a list.
struct FacetsPage: Page {
    let route = Route("GET /stores/{store}/entities/{entity}/facets")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let keys = ObjectQuery.list(call.query["keys"])
        guard !keys.isEmpty, keys.count <= 20 else {
            throw BrowserFailure.badRequest("'keys' names no keys, or more than 20")
        }
        let limit = try call.number("milliseconds", default: 50, in: 0...10_000)
        let facets = ListFacets(question: call.listQuestion, keys: keys, limit: .milliseconds(limit))
        return .json(try await call.store.read(for: call.access) { try facets.json($0) })
    }
}
