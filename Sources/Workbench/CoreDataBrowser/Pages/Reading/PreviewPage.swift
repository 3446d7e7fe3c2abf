import CoreData

/// `GET /stores/{store}/objects/{entity}/{key}/preview`: a few lines about an object.
struct PreviewPage: Page {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/preview")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let name = call.objectName
        return .json(try await call.readObjects { try ObjectPreview(reading: $0).json($0.object(name)) })
    }
}
