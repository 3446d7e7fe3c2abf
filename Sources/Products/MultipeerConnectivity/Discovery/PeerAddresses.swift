import DiscoveryKit
import Foundation

/// Finds the present addresses of services, for an invitation.
///
/// Invariants:
/// 1. It is touched on the queue of `DiscoveryKit` alone, and lives until `done` was called, once.
final class PeerAddresses: @unchecked Sendable {
    /// How long to wait for further addresses once one is known, in milliseconds.
    private static let rest = 50

    private var open: [ServiceResolution] = []
    private var found: [PeerAddress] = []
    private var done: (@Sendable ([PeerAddress]) -> Void)?
    private var isEnding = false

    /// Calls `done` on the queue of `DiscoveryKit` with the addresses; with none after `timeout` seconds.
    static func find(
        _ services: [DiscoveredService], timeout: TimeInterval, done: @escaping @Sendable ([PeerAddress]) -> Void
    ) {
        let addresses = PeerAddresses()
        addresses.done = done
        addresses.open = services.compactMap { service in
            try? ServiceResolution(service, timeout: timeout) { addresses.resolved($0) }
        }
        for resolution in addresses.open { resolution.start() }
        if addresses.open.isEmpty { addresses.end() }
    }

    private func resolved(_ event: ServiceResolution.Event) {
        guard case .resolved(let place) = event else { return end() }
        for address in place.addresses {
            guard let (host, port) = SocketAddress.numeric(address.bytes), let port = UInt16(exactly: port) else {
                continue
            }
            let next = PeerAddress(host: host, port: port)
            if !found.contains(next) { found.append(next) }
        }
        guard !found.isEmpty, !isEnding else { return }
        isEnding = true
        DiscoveryQueue.queue.asyncAfter(deadline: .now() + .milliseconds(Self.rest)) { self.end() }
    }

    private func end() {
        for resolution in open { resolution.stop() }
        open = []
        let call = done
        done = nil
        call?(found)
    }
}
