import CoreData

extension PageCall {
    /// What the user may see and do.
    package var access: BrowserAccess { BrowserAccess(browser.options.rules, request.user) }

    /// The name of the tab whose edits the call is about; a program without tabs has one. For a user of a host the name
    /// includes the user, since such a user chooses the name of the tab and could choose another user's.
    var editingTab: String {
        guard let user = request.user else { return tab ?? "program" }
        return tab.map { "user \(user.name) \($0)" } ?? "user \(user.name)"
    }

    /// The session of the tab.
    ///
    /// - Throws: `BrowserFailure` 409 where the store is only read.
    var session: EditSession {
        get async throws {
            try await browser.sessions.session(
                of: editingTab, in: try store, author: request.user?.name ?? OpenStore.author, access: access,
                // Only the person who runs the program adopts tabs; tabs of other users stay theirs.
                adopts: tab != nil && request.user == nil)
        }
    }

    /// Changes what the tab has staged, and answers the result: the difference from the version that the query names,
    /// or everything that is staged.
    func edited(
        _ body: @Sendable @escaping (EditSession, BrowserAccess) throws -> [(String, JSONValue)]
    ) async throws -> BrowserResponse {
        let access = access
        let version = query["since"].flatMap { Int($0) }
        let session = try await session
        return try await store.namingFileProblem {
            .json(
                try await session.perform {
                    let report = EditReport($0, access, since: version)
                    return report.json(try body($0, access))
                })
        }
    }
}
