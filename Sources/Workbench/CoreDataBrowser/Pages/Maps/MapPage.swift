import CoreData

/// `GET /stores/{store}/map`: the objects that have coordinates; objects near each other are combined.
struct MapPage: ViewPage {
    let route = Route("GET /stores/{store}/map")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let zoom = try call.number("zoom", default: -1, in: 0...MapRequest.greatestZoom)
        let question = MapQuestion(query: call.query, zoom: zoom < 0 ? nil : zoom)
        return try await call.store.read(for: call.access) { .json(try question.map($0).json) }
    }
}
