import CoreData

/// The site that a request comes from, according to its header fields.
///
/// Pages of other sites can make a web browser send requests to this server, but cannot set these fields.
struct HTTPOrigin {
    private let request: BrowserRequest

    init(_ request: BrowserRequest) { self.request = request }

    /// Refuses a request that is not addressed to one of the served addresses, or that comes from another site.
    ///
    /// - Parameter isView: Whether the answer is a page of the front end, which contains no data, so that other sites
    ///   may link to it.
    /// - Throws: `BrowserFailure` 403.
    func check(servedAt addresses: Set<String>, isView: Bool) throws {
        guard let host = request.headers["Host"]?.lowercased(), addresses.contains(host) else {
            throw BrowserFailure(
                403, code: "wrongHost", reason: "the request is not addressed to where the browser is served",
                hint: "use the address that was printed")
        }
        // Scheme and host are case-insensitive. Source: RFC 3986, section 6.2.2.1.
        guard request.headers.values(of: "Origin").allSatisfy({ $0.lowercased() == "http://\(host)" }) else {
            throw Self.foreign
        }
        guard !isFromOwnPage, !(isView && isNavigation) else { return }
        throw Self.foreign
    }

    /// Refuses a changing request that a page of another site makes under the name of a user of the host program.
    ///
    /// - Throws: `BrowserFailure` 403.
    func checkForUser() throws {
        guard !["GET", "HEAD"].contains(request.method) else { return }
        guard request.headers.values(of: "Sec-Fetch-Site").isEmpty else {
            guard isFromOwnPage else { throw Self.foreign }
            return
        }
        // Behind a proxy the scheme may differ, so only the host is compared.
        let host = request.headers["Host"]?.lowercased() ?? ""
        guard request.headers.values(of: "Origin").allSatisfy({ $0.lowercased().hasSuffix("://\(host)") }) else {
            throw Self.foreign
        }
    }

    private var isFromOwnPage: Bool {
        request.headers.values(of: "Sec-Fetch-Site").allSatisfy { ["same-origin", "none"].contains($0) }
    }

    /// Whether the user follows a link to the page, rather than another page embedding or reading it.
    private var isNavigation: Bool {
        request.method == "GET" && request.headers["Sec-Fetch-Mode"] == "navigate"
            && request.headers["Sec-Fetch-Dest"] == "document"
    }

    private static var foreign: BrowserFailure {
        BrowserFailure(403, code: "wrongOrigin", reason: "the request comes from a page of another site")
    }
}
