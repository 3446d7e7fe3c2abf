import CoreData

/// `GET /stores/{store}/events`: what is saved in a store from now on, and whether anything was since `state`.
struct EventsPage: Page {
    let route = Route("GET /stores/{store}/events")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let body = call.browser.live.stream(
            of: store, since: call.query["state"], without: store.opened.shown(to: call.access).hidden)
        return BrowserResponse(headers: ["Content-Type": "text/event-stream; charset=utf-8"], body: body)
    }
}
