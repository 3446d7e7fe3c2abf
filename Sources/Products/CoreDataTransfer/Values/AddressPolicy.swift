/// The addresses to which transfers may connect, checked when a connection is opened: after the name was resolved, and again for
/// each redirect, so that no name and no redirect leads past it.
public struct AddressPolicy: Sendable {
    /// Whether addresses that are not of the public Internet are allowed.
    public var allowsPrivate: Bool
    /// Hosts, as URLs name them, whose addresses are allowed whatever they are.
    public var allowedHosts: Set<String>

    /// Every address.
    public static let all = AddressPolicy(allowsPrivate: true, allowedHosts: [])

    /// The public Internet, and some hosts besides. Proxies that the environment names are not used: what a proxy connects
    /// to cannot be checked.
    public static func publicInternet(besides hosts: Set<String> = []) -> AddressPolicy {
        AddressPolicy(allowsPrivate: false, allowedHosts: Set(hosts.map { $0.lowercased() }))
    }

    func allows(host: String, address: [UInt8]) -> Bool {
        allowsPrivate || allowedHosts.contains(host.lowercased()) || Self.isPublic(address)
    }

    /// Whether an address of 4 or 16 bytes is one of the public Internet, by the registries of special-purpose addresses
    /// (RFC 6890 and its updates).
    static func isPublic(_ address: [UInt8]) -> Bool {
        switch address.count {
        case 4: !reserved4.contains { $0.contains(address) }
        case 16: isPublic6(address)
        default: false
        }
    }

    private static func isPublic6(_ address: [UInt8]) -> Bool {
        // Addresses that carry one of IPv4: mapped and translated ones, and those of 6to4.
        if address.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
            || address.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        {
            return isPublic(Array(address.suffix(4)))
        }
        if address.starts(with: [0x20, 0x02]) { return isPublic(Array(address[2..<6])) }
        // What the public Internet uses is assigned from 2000::/3.
        return address[0] & 0xE0 == 0x20 && !reserved6.contains { $0.contains(address) }
    }

    private struct Block {
        let start: [UInt8]
        let bits: Int

        init(_ start: [UInt8], _ bits: Int) { (self.start, self.bits) = (start, bits) }

        func contains(_ address: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { bit in
                let mask = UInt8(0x80) >> (bit % 8)
                return (bit / 8 < start.count ? start[bit / 8] : 0) & mask == address[bit / 8] & mask
            }
        }
    }

    private static let reserved4 = [
        Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
        Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24), Block([192, 88, 99], 24),
        Block([192, 168], 16), Block([198, 18], 15), Block([198, 51, 100], 24), Block([203, 0, 113], 24),
        Block([224], 3),
    ]
    private static let reserved6 = [
        // Teredo and other protocol assignments, documentation.
        Block([0x20, 0x01], 23), Block([0x20, 0x01, 0x0D, 0xB8], 32), Block([0x3F, 0xFF], 20),
    ]
}
