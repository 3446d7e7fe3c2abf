import CoreData

/// `GET /stores/{store}/counts`: how many objects each entity has, for the entities that can be counted within
/// `milliseconds`.
struct CountsPage: Page {
    let route = Route("GET /stores/{store}/counts")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let limit = try call.number("milliseconds", default: 2_000, in: 0...60_000)
        let counts = try await call.store.read(for: call.access) { reading in
            var counts = EntityCounts(of: reading.opened.entities)
            try counts.count(with: reading, until: .now + .milliseconds(limit))
            return counts
        }
        return .json(counts.json)
    }
}
