import Foundation

/// The network of the machine: wires over TCP, by IPv4 and IPv6.
package struct SocketNetwork: PeerNetwork {
    package init() {}

    package var hosts: [String]? { nil }

    package func listen(
        on port: UInt16, loop: EventLoop, settings: @escaping @Sendable () -> WireSettings,
        accept: @escaping @Sendable (any Wire) -> Void
    ) throws -> any WireListener {
        try SocketListener(port: port, loop: loop, settings: settings, accept: accept)
    }

    package func wire(host: String, port: UInt16, loop: EventLoop, settings: WireSettings) -> any Wire {
        SocketWire(host: host, port: port, loop: loop, settings: settings)
    }
}
