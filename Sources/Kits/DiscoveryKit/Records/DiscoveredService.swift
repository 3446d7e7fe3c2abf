/// A service that browsing found: what names it, and nothing of where it is.
package struct DiscoveredService: Sendable, Hashable {
    package let name: String
    /// The type with its transport, `_http._tcp`.
    package let type: String
    package let domain: String

    package init(name: String, type: String, domain: String) {
        (self.name, self.type, self.domain) = (name, type, domain)
    }
}

/// What resolving a service found.
package struct ResolvedService: Sendable, Equatable {
    /// The name of the host, `printer.local`.
    package var host: String
    package var port: Int
    package var addresses: [SocketAddress]
    package var text: TextRecord
}
