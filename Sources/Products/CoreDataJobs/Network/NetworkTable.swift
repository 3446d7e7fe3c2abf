/// The links and default routes of a machine, as its kernel has named them in answer to a request for all of them.
struct NetworkTable: Equatable {
    /// Flags of `linux/if.h`.
    private enum LinkFlags {
        static let isUp: UInt32 = 0x1
        static let isLoopback: UInt32 = 0x8
        static let isRunning: UInt32 = 0x40
    }

    private struct Route: Hashable {
        /// The links that it leads to; none if the kernel has named them by another object.
        let links: Set<UInt32>
    }

    private static let linkHeaderSize = 16
    private static let routeHeaderSize = 12
    private static let unicast: UInt8 = 1
    private static let localTable: UInt32 = 255

    /// The flags of each link, by its number.
    private var links: [UInt32: UInt32] = [:]
    private var routes: Set<Route> = []

    init() {}

    /// Takes a message of an answer; what it does not know or cannot read changes nothing.
    mutating func take(_ message: NetlinkMessage) {
        switch message.kind {
        case NetlinkMessage.Kind.newLink: takeLink(message)
        case NetlinkMessage.Kind.newRoute: takeRoute(message)
        default: return
        }
    }

    /// Whether a default route leads to a link that is up, has a carrier and is not the machine itself.
    var isReachable: Bool {
        func isUsable(_ link: UInt32) -> Bool {
            guard let flags = links[link] else { return false }
            let wanted = LinkFlags.isUp | LinkFlags.isRunning
            return flags & wanted == wanted && flags & LinkFlags.isLoopback == 0
        }
        return routes.contains { route in
            route.links.isEmpty ? links.keys.contains(where: isUsable) : route.links.contains(where: isUsable)
        }
    }

    /// `struct ifinfomsg`: family, type, number and flags of a link.
    private mutating func takeLink(_ message: NetlinkMessage) {
        guard message.payload.count >= Self.linkHeaderSize, let number = message.payload.number(UInt32.self, at: 4),
            let flags = message.payload.number(UInt32.self, at: 8)
        else { return }
        links[number] = flags
    }

    /// `struct rtmsg`: family, length of the destination's prefix, …, table at 4, type at 7.
    private mutating func takeRoute(_ message: NetlinkMessage) {
        let payload = message.payload
        guard payload.count >= Self.routeHeaderSize, let prefix = payload.number(UInt8.self, at: 1),
            let table = payload.number(UInt8.self, at: 4), let type = payload.number(UInt8.self, at: 7),
            prefix == 0, type == Self.unicast
        else { return }
        enum Attribute {
            static let outputLink: UInt16 = 4
            static let hops: UInt16 = 9
            static let table: UInt16 = 15
            static let nextHopObject: UInt16 = 30
        }
        let attributes = message.attributes(after: Self.routeHeaderSize)
        guard attributes[Attribute.table]?.number(UInt32.self, at: 0) ?? UInt32(table) != Self.localTable else {
            return
        }
        var links: Set<UInt32> = []
        if let link = attributes[Attribute.outputLink]?.number(UInt32.self, at: 0) { links.insert(link) }
        if let hops = attributes[Attribute.hops] { links.formUnion(Self.links(ofHops: hops)) }
        guard !links.isEmpty || attributes[Attribute.nextHopObject] != nil else { return }
        routes.insert(Route(links: links))
    }

    /// `struct rtnexthop`, one after another: length, flags, hops, number of the link, attributes.
    private static func links(ofHops bytes: ArraySlice<UInt8>) -> Set<UInt32> {
        var links: Set<UInt32> = []
        var rest = bytes
        while let length = rest.number(UInt16.self, at: 0).map(Int.init), length >= 8, length <= rest.count,
            let link = rest.number(UInt32.self, at: 4)
        {
            links.insert(link)
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return links
    }
}
