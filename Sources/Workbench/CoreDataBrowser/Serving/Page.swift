/// The handler of one address of the browser: it answers a view as JSON, or performs an action.
package protocol Page: Sendable {
    /// The method and the path that the page answers.
    var route: Route { get }

    /// Answers a call that passed the guard.
    ///
    /// - Throws: `BrowserFailure`, `InspectionError` or an error of the store, which become the answer.
    func respond(_ call: PageCall) async throws -> BrowserResponse
}

/// A page without data, which needs no session: the files of the front end, and the start of a session.
package protocol PublicPage: Page {}

/// A page that users look at: for a web browser, the same address answers the front end's HTML, which contains no data.
package protocol ViewPage: Page {}
