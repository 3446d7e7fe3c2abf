/// Where a peer listens: a host and a port.
public struct PeerAddress: Hashable, Sendable, Codable, CustomStringConvertible {
    /// A name or an address of IPv4 or IPv6, without brackets.
    public var host: String
    /// The port of TCP.
    public var port: UInt16

    /// Makes an address, whose host is resolved when it is connected to.
    public init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// Reads `host:port` or `[address]:port`; nil for any other text.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.count <= 255 else { return nil }
        self.init(host: String(host), port: port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
