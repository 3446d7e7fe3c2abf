import CoreData

/// `POST /session`: begins a session with a code.
struct SessionPage: PublicPage {
    let route = Route("POST /session")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        guard case .members(let members) = try await call.json(),
            case .string(let code)? = members.last(where: { $0.key == "code" })?.value
        else {
            throw BrowserFailure.badRequest("'code' is missing")
        }
        let start = SessionStart(access: call.browser.access, basePath: call.browser.options.basePath)
        return try start.answer(call.request, code: code)
    }
}
