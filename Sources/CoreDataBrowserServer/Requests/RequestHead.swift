import CoreDataBrowser

/// The first part of a request, after which its body may come.
struct RequestHead: Sendable {
    let method: String
    let headers: BrowserHeaders

    /// The length of the body where the client tells it.
    var bodyCount: Int? { headers["Content-Length"].flatMap { Int($0) } }

    var hasBody: Bool { bodyCount.map { $0 > 0 } ?? !headers.values(of: "Transfer-Encoding").isEmpty }
}
