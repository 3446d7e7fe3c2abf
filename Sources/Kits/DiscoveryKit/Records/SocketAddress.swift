import CAvahi

/// An address of a host with a port, as the bytes of a `sockaddr`.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// A `sockaddr_in` or `sockaddr_in6`.
    package let bytes: [UInt8]
    /// The address with its scope, in brackets if it is one of IPv6, and the port.
    package let description: String

    /// - Parameter interface: The number of the network interface, which an address of IPv6 for one link needs.
    init?(_ address: AvahiAddress, port: UInt16, interface: AvahiIfIndex) {
        switch address.proto {
        case AvahiCode.ipv4:
            var socket = sockaddr_in()
            socket.sin_family = sa_family_t(AF_INET)
            socket.sin_port = port.bigEndian
            socket.sin_addr.s_addr = address.data.ipv4.address
            bytes = withUnsafeBytes(of: socket) { Array($0) }
        case AvahiCode.ipv6:
            var socket = sockaddr_in6()
            socket.sin6_family = sa_family_t(AF_INET6)
            socket.sin6_port = port.bigEndian
            let host = withUnsafeBytes(of: address.data.ipv6) { Array($0.prefix(16)) }
            withUnsafeMutableBytes(of: &socket.sin6_addr) { $0.copyBytes(from: host) }
            // fe80::/10 is an address of one link.
            if host[0] == 0xFE, host[1] & 0xC0 == 0x80, interface > 0 { socket.sin6_scope_id = UInt32(interface) }
            bytes = withUnsafeBytes(of: socket) { Array($0) }
        default: return nil
        }
        guard let parts = Self.numeric(bytes) else { return nil }
        description = parts.host.contains(":") ? "[\(parts.host)]:\(parts.port)" : "\(parts.host):\(parts.port)"
    }

    /// The host and port of a `sockaddr` as numbers in text; nil if the bytes are none.
    package static func numeric(_ bytes: [UInt8]) -> (host: String, port: Int)? {
        guard bytes.count >= MemoryLayout<sockaddr_in>.size, bytes.count <= MemoryLayout<sockaddr_storage>.size else {
            return nil
        }
        // The bytes may lie anywhere; a sockaddr may not.
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let code = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo(
                    $0, socklen_t(bytes.count), &host, socklen_t(host.count), &port, socklen_t(port.count),
                    NI_NUMERICHOST | NI_NUMERICSERV)
            }
        }
        guard code == 0, let number = Int(text(port)) else { return nil }
        return (text(host), number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
