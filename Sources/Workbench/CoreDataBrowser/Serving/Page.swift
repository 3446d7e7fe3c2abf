/// One address of the browser: a view that is read as JSON, or something that is done.
package protocol Page: Sendable {
    /// The method and the path that the page answers.
    var route: Route { get }

    /// Answers a call that passed the guard.
    ///
    /// - Throws: `BrowserFailure`, `InspectionError` or an error of the store, which become the answer.
    func respond(_ call: PageCall) async throws -> BrowserResponse
}

/// A page that holds no data: the files of the front end, and what begins a session.
package protocol PublicPage: Page {}

/// A page that people look at: the same address answers a person's browser with the front end, which holds no data.
package protocol ViewPage: Page {}
