import CoreData

/// What the browser answers, for any HTTP server to send.
public struct BrowserResponse: Sendable {
    /// The HTTP status code.
    public var status: Int
    /// The header fields, to be sent as they are.
    public var headers: BrowserHeaders
    /// The body, which may be made while it is sent.
    public var body: BrowserBody

    /// Makes an answer, by default of status 200 without a body.
    public init(status: Int = 200, headers: BrowserHeaders = [:], body: BrowserBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// JSON in lines, as the command line prints it.
    package static func json(_ value: JSONValue, status: Int = 200) -> BrowserResponse {
        let text = JSONWriter.lines(value) + "\n"
        return BrowserResponse(
            status: status, headers: ["Content-Type": "application/json; charset=utf-8"],
            body: BrowserBody(Array(text.utf8)))
    }

    /// A text in one line.
    package static func text(_ text: String, status: Int = 200) -> BrowserResponse {
        BrowserResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: BrowserBody(Array((text + "\n").utf8)))
    }

    /// A text that is saved as a file.
    package static func file(_ text: String, _ type: String, name: String) -> BrowserResponse {
        BrowserResponse(
            headers: [
                "Content-Type": "\(type); charset=utf-8", "Content-Disposition": "attachment; filename=\"\(name)\"",
            ], body: BrowserBody(Array(text.utf8)))
    }

    /// The answer to a request that succeeded and returns nothing: status 204.
    package static var done: BrowserResponse { BrowserResponse(status: 204) }
}
