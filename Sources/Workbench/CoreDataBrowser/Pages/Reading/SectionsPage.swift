import CoreData

/// `GET /stores/{store}/entities/{entity}/sections`: the sections of a list and where they begin.
struct SectionsPage: Page {
    let route = Route("GET /stores/{store}/entities/{entity}/sections")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        guard let path = call.query["section"], !path.isEmpty else {
            throw BrowserFailure.badRequest(
                "'section' is missing", hint: "name the key path whose values make sections")
        }
        let sections = ListSections(
            question: call.listQuestion, path: path, areLetters: call.query["letters"] == "yes")
        return .json(try await call.store.read(for: call.access) { try sections.json($0) })
    }
}
