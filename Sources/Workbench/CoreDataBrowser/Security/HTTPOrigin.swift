import CoreData

/// From which site a request comes, as far as its header fields tell.
///
/// Pages of other sites can have a person's browser send requests here; what they cannot do is write these fields.
struct HTTPOrigin {
    private let request: BrowserRequest

    init(_ request: BrowserRequest) { self.request = request }

    /// Refuses what is not addressed to one of the addresses served, or comes from another site.
    ///
    /// - Parameter isView: whether the answer is a page of the front end, which holds no data and may be linked to.
    /// - Throws: `BrowserFailure` 403.
    func check(servedAt addresses: Set<String>, isView: Bool) throws {
        guard let host = request.headers["Host"]?.lowercased(), addresses.contains(host) else {
            throw BrowserFailure(
                403, code: "wrongHost", reason: "the request is not addressed to where the browser is served",
                hint: "use the address that was printed")
        }
        // Scheme and host have no case. Source: RFC 3986, section 6.2.2.1.
        guard request.headers.values(of: "Origin").allSatisfy({ $0.lowercased() == "http://\(host)" }) else {
            throw Self.foreign
        }
        guard !isFromOwnPage, !(isView && isNavigation) else { return }
        throw Self.foreign
    }

    /// Refuses what another site has a person's browser do under the name of a user of the host program.
    ///
    /// - Throws: `BrowserFailure` 403.
    func checkForUser() throws {
        guard !["GET", "HEAD"].contains(request.method) else { return }
        guard request.headers.values(of: "Sec-Fetch-Site").isEmpty else {
            guard isFromOwnPage else { throw Self.foreign }
            return
        }
        // Behind a proxy the scheme may be another one.
        let host = request.headers["Host"]?.lowercased() ?? ""
        guard request.headers.values(of: "Origin").allSatisfy({ $0.lowercased().hasSuffix("://\(host)") }) else {
            throw Self.foreign
        }
    }

    private var isFromOwnPage: Bool {
        request.headers.values(of: "Sec-Fetch-Site").allSatisfy { ["same-origin", "none"].contains($0) }
    }

    /// Whether the person follows a link to the page, rather than another page embedding it or reading it.
    private var isNavigation: Bool {
        request.method == "GET" && request.headers["Sec-Fetch-Mode"] == "navigate"
            && request.headers["Sec-Fetch-Dest"] == "document"
    }

    private static var foreign: BrowserFailure {
        BrowserFailure(403, code: "wrongOrigin", reason: "the request comes from a page of another site")
    }
}
