import CoreData

/// `POST /tabs`: a tab with a secret of its own, for one that was opened from the tab that asks.
struct TabPage: Page {
    let route = Route("POST /tabs")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let access = call.browser.access
        // Users of the host and programs with a token need no secret, but what they stage belongs to a tab too.
        let start =
            access.session(of: call.request).flatMap { access.sessions.addTab(to: $0) }
            ?? Sessions.Start(session: "", tab: Secret.name(), secret: Secret.random())
        return .json(start.json)
    }
}
