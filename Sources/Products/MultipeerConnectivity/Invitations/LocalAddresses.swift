import Foundation
import PeerKit

/// The addresses of this machine at which others may reach it.
enum LocalAddresses {
    /// Addresses of all interfaces that are up, those of this machine alone last.
    static func all() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return ["127.0.0.1"] }
        defer { freeifaddrs(first) }
        var (others, own): ([String], [String]) = ([], [])
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, Int32(entry.ifa_flags) & Int32(IFF_UP) != 0 else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if host == "::1" || host.hasPrefix("127.") { own.append(host) } else { others.append(host) }
        }
        return others + own
    }
}

extension PeerEndpoint {
    /// The hosts at which others may reach the peer.
    package var addresses: [String] { network.hosts ?? LocalAddresses.all() }
}
