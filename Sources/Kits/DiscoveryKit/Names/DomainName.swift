/// The rules for domains in which services are looked for.
package enum DomainName {
    /// The domain as the daemon wants it; nil for the empty name, which means the default domain.
    ///
    /// - Throws: `DiscoveryError` if it is no name of DNS.
    package static func check(_ domain: String) throws(DiscoveryError) -> String? {
        let name = domain.hasSuffix(".") ? domain.dropLast() : domain[...]
        guard !name.isEmpty else { return nil }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.utf8.count) }),
            name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw DiscoveryError(
                .invalidDomain, "'\(ServiceName.escaped(domain))' is not a domain",
                hint: "use local. for the network at hand, or an empty text for the default domain")
        }
        return String(name)
    }
}
