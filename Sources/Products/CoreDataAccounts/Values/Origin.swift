import Foundation

/// The scheme, host and port of a URL, by which tokens are kept from other places (RFC 6454).
struct Origin: Sendable, Hashable, CustomStringConvertible {
    let scheme: String
    let host: String
    let port: Int

    /// The origin of a URL that tokens may go to: one of `https`, or of `http` on this machine's loopback address; nil for others,
    /// and for a URL with a name or a password in it.
    init?(secure url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty, url.user == nil,
            url.password == nil
        else { return nil }
        guard scheme == "https" || scheme == "http" && Self.isLoopback(host) else { return nil }
        (self.scheme, self.host, port) = (scheme, host, url.port ?? (scheme == "https" ? 443 : 80))
    }

    var description: String { "\(scheme)://\(host):\(port)" }

    private static func isLoopback(_ host: String) -> Bool {
        // Not "localhost", which a name server may answer.
        ["127.0.0.1", "::1", "[::1]"].contains(host)
    }
}
