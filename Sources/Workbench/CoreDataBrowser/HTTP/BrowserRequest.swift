import CoreData

/// A request for the browser, as any HTTP server can hand it over.
public struct BrowserRequest: Sendable {
    /// `GET`, `POST` and so on, in capitals.
    public var method: String
    /// Path and query as they came, with their escapes: `/stores/1?where=a%20%3D%201`.
    public var target: String
    /// The header fields, of which a host leaves none out.
    public var headers: BrowserHeaders
    /// The body, read as far as a page wants it.
    public var body: BrowserBody
    /// Who asks, where the program that mounts the browser knows; such a request needs no code or secret of the browser's.
    public var user: BrowserUser?

    /// Makes a request, by default to read something.
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
    /// Whether a person's browser asks for a page to show, rather than a program for data.
    var wantsHTML: Bool {
        let accepted = headers["Accept"] ?? ""
        return accepted.split(separator: ",").contains { part in
            part.split(separator: ";").first?.trimmingCharacters(in: .whitespaces) == "text/html"
        }
    }
}
