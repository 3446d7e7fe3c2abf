import CoreData

/// Begins a session with a code that works once.
struct SessionStart {
    let access: RequestGuard
    let basePath: String

    /// Redirects the web browser to the first page, with the tab's secret in the fragment, which is not sent to
    /// servers.
    ///
    /// - Throws: `BrowserFailure` 403 for a code that is invalid or was used.
    func redirect(_ request: BrowserRequest, code: String) throws -> BrowserResponse {
        // A web browser that prefetches the page would use up the code.
        let purpose = request.headers.values(of: "Sec-Purpose") + request.headers.values(of: "Purpose")
        guard !purpose.contains(where: { $0.contains("prefetch") }) else {
            throw BrowserFailure(503, code: "prefetch", reason: "a code is not for fetching in advance")
        }
        let start = try start(request, code: code)
        let place = "\(basePath)/#tab=\(start.tab)&secret=\(start.secret)"
        return BrowserResponse(
            status: 303, headers: ["Location": place, "Set-Cookie": access.cookie(start.session, for: request)])
    }

    /// The same for clients that cannot follow redirects: the secret is in the body.
    ///
    /// - Throws: as `redirect`.
    func answer(_ request: BrowserRequest, code: String) throws -> BrowserResponse {
        let start = try start(request, code: code)
        var response = BrowserResponse.json(start.json)
        response.headers.set("Set-Cookie", access.cookie(start.session, for: request))
        return response
    }

    private func start(_ request: BrowserRequest, code: String) throws -> Sessions.Start {
        guard let start = access.sessions.start(code: code, cookie: access.session(of: request)) else {
            throw BrowserFailure(
                403, code: "usedCode", reason: "the code of this address was already used or is not valid",
                hint: "end the program and start it again for a new address")
        }
        return start
    }
}

extension Sessions.Start {
    /// `{"tab", "secret"}`
    var json: JSONValue { .object([("tab", .string(tab)), ("secret", .string(secret))]) }
}
