import CoreData

/// `GET /stores/{store}/events`: a stream of the saves in a store from now on; its first event says whether anything
/// was saved since `state`.
struct EventsPage: Page {
    let route = Route("GET /stores/{store}/events")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let body = call.browser.live.stream(
            of: store, since: call.query["state"], without: store.opened.shown(to: call.access).hidden)
        return BrowserResponse(headers: ["Content-Type": "text/event-stream; charset=utf-8"], body: body)
    }
}
