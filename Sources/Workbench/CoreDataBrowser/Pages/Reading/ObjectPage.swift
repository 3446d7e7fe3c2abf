import CoreData

/// `GET /stores/{store}/objects/{entity}/{key}`: one object.
struct ObjectPage: ViewPage {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (name, choices) = (call.objectName, try call.kindChoices)
        return .json(try await call.readObjects { try ObjectReport($0, choices).json($0.object(name)) })
    }
}
