import CoreData

/// A request to the browser, which any HTTP server can make from what it receives.
public struct BrowserRequest: Sendable {
    /// `GET`, `POST` and so on, in capitals.
    public var method: String
    /// Path and query as received, with percent escapes: `/stores/1?where=a%20%3D%201`.
    public var target: String
    /// All header fields that the server received.
    public var headers: BrowserHeaders
    /// The body; a page reads only as much of it as it needs.
    public var body: BrowserBody
    /// The user, if the program that mounts the browser has authenticated one; such a request needs no code or secret
    /// of the browser.
    public var user: BrowserUser?

    /// Makes a request, by default a `GET` without a body.
    public init(
        method: String = "GET", target: String, headers: BrowserHeaders = [:], body: BrowserBody = .empty,
        user: BrowserUser? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.user = user
    }
}

extension BrowserRequest {
    /// Whether a web browser asks for a page to display, rather than a program for data.
    var wantsHTML: Bool {
        let accepted = headers["Accept"] ?? ""
        return accepted.split(separator: ",").contains { part in
            part.split(separator: ";").first?.trimmingCharacters(in: .whitespaces) == "text/html"
        }
    }
}
