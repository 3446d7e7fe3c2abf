import Foundation

/// The addresses of a host and a port, as the system has them.
struct SocketAddresses: Sendable {
    /// The bytes of one `sockaddr` each.
    private(set) var all: [[UInt8]] = []

    /// Resolves a host, which may take long unless it is an address.
    ///
    /// - Throws: `PeerFailure` with `unreachable` if it has no address.
    init(host: String, port: UInt16, numeric: Bool = false) throws {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (numeric ? AI_NUMERICHOST : 0)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        defer { if code == 0 { freeaddrinfo(found) } }
        guard code == 0 else {
            throw PeerFailure(
                .unreachable, "\(host) has no address: \(String(cString: gai_strerror(code)))",
                hint: "check the name, or give an address")
        }
        var next = found
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                all.append(Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))))
            }
            next = entry.ai_next
        }
    }

    /// The host of an address as text, an IPv4 address in its usual form also where it comes through IPv6.
    static func host(of address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { return "" }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
    }
}
