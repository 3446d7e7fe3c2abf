import CoreData

/// `POST /tabs`: makes a tab with a secret of its own, for a page that the requesting tab opened.
struct TabPage: Page {
    let route = Route("POST /tabs")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let access = call.browser.access
        // Users of the host and programs with a token need no secret, but their staged edits belong to a tab too.
        let start =
            access.session(of: call.request).flatMap { access.sessions.addTab(to: $0) }
            ?? Sessions.Start(session: "", tab: Secret.name(), secret: Secret.random())
        return .json(start.json)
    }
}
