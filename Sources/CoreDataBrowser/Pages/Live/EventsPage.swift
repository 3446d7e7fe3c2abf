import CoreData

/// `GET /stores/{store}/events`: what is saved in a store from now on.
struct EventsPage: Page {
    let route = Route("GET /stores/{store}/events")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let body = call.browser.live.stream(of: try call.store)
        return BrowserResponse(headers: ["Content-Type": "text/event-stream; charset=utf-8"], body: body)
    }
}
