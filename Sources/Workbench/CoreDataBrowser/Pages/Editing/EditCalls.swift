import CoreData

extension PageCall {
    /// What the user may see and do.
    package var access: BrowserAccess { BrowserAccess(browser.options.rules, request.user) }

    /// The tab whose edits the call is about; a program without tabs has one. Staged edits of a host's users are separated by
    /// user, for a user of a host chooses the name of the tab and could choose another's.
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
                // Tabs of the person who runs the program; what other users left is theirs.
                adopts: tab != nil && request.user == nil)
        }
    }

    /// Changes what the tab has staged, and answers what it has then: what differs from the version that the query names, or
    /// all of it.
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
