import CoreData
import Synchronization

/// Decides which requests may be answered, before any page sees them.
package final class RequestGuard: Sendable {
    package let sessions = Sessions()
    private let options: BrowserOptions
    /// The accepted values of `Host`, such as `127.0.0.1:8080`; empty if a program mounts the browser.
    private let addresses: Mutex<Set<String>> = Mutex([])

    init(_ options: BrowserOptions) { self.options = options }

    /// From now on, accepts requests that are addressed to a port of the loopback address.
    package func serve(port: Int) { addresses.withLock { $0.formUnion(Self.addresses(port)) } }

    /// From now on, refuses requests to a port.
    package func endServing(port: Int) { addresses.withLock { $0.subtract(Self.addresses(port)) } }

    private static func addresses(_ port: Int) -> Set<String> { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// Refuses requests that come from another site; called for every page.
    ///
    /// - Throws: `BrowserFailure` 403.
    func checkOrigin(_ request: BrowserRequest, isView: Bool) throws {
        let origin = HTTPOrigin(request)
        guard request.user == nil else { return try origin.checkForUser() }
        try origin.check(servedAt: addresses.withLock { $0 }, isView: isView)
    }

    /// The tab that sends the request; nil if a program with a token or a user of the host names none.
    ///
    /// - Throws: `BrowserFailure` 401 without a session or token, 403 for a tab without its secret.
    func tab(of request: BrowserRequest) throws -> String? {
        let tab = request.headers["X-Tab"]
        if request.user != nil { return tab }
        if let token = options.token, let given = request.headers["Authorization"] {
            guard Secret.areEqual(given, "Bearer " + token) else { throw Self.noSession }
            return tab
        }
        guard let session = session(of: request), sessions.has(session) else { throw Self.noSession }
        guard let tab, let secret = request.headers["X-Tab-Secret"],
            sessions.accepts(session, tab: tab, secret: secret)
        else {
            throw BrowserFailure(
                403, code: "noTab", reason: "the tab's secret is missing or wrong",
                hint: "ask another tab of the session for POST /tabs, or open the address that is printed at the start")
        }
        return tab
    }

    /// The session in the request's cookie; nil without one.
    func session(of request: BrowserRequest) -> String? {
        let name = cookieName(request) + "="
        return request.headers.values(of: "Cookie").joined(separator: ";").split(separator: ";")
            .map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix(name) }
            .map { String($0.dropFirst(name.count)) }
    }

    /// The cookie of a session. Servers on other ports of the address see it too, so the cookie alone gives no access.
    func cookie(_ session: String, for request: BrowserRequest) -> String {
        let path = options.basePath.isEmpty ? "/" : options.basePath
        return "\(cookieName(request))=\(session); Path=\(path); HttpOnly; SameSite=Strict"
    }

    /// Servers on all ports of an address share one set of cookies, so the name contains the port.
    private func cookieName(_ request: BrowserRequest) -> String {
        let port = (request.headers["Host"] ?? "").split(separator: ":").last ?? ""
        return "opencoredata-\(port.filter(\.isNumber))"
    }

    private static var noSession: BrowserFailure {
        BrowserFailure(
            401, code: "noSession", reason: "the request belongs to no session",
            hint: "open the address that is printed at the start, or send the token of --token-file")
    }
}
