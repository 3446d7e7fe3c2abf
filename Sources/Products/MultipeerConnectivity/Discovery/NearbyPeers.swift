import DiscoveryKit
import Foundation

/// The peers behind services: each found service is resolved, a few at a time, until its record says which peer it is.
///
/// A peer is known by its identifier. Several services may say that they are one peer, whether it moved or another
/// program lies; it appears with the first and is lost with the last, and an invitation goes to the addresses of all.
///
/// Invariants:
/// 1. It is touched on the queue of `DiscoveryKit` alone.
/// 2. A service of `present` is in exactly one of `waiting`, `resolutions` and `peers`, or says nothing of a peer.
/// 3. At most `resolutionLimit` services are resolved at a time, and at most `peerLimit` peers are known.
final class NearbyPeers: @unchecked Sendable {
    enum Event {
        case found(MCPeerID, [String: String]?)
        case lost(MCPeerID)
    }

    private struct Known {
        let peer: MCPeerID
        var services: Set<DiscoveredService>
    }
    static let (resolutionLimit, peerLimit) = (32, 1_000)
    /// Seconds for which a service is resolved before others have their turn.
    private static let patience = 5.0

    private let own: MCPeerID
    private let report: @Sendable (Event) -> Void
    private var present: Set<DiscoveredService> = []
    private var waiting: [DiscoveredService] = []
    private var resolutions: [DiscoveredService: ServiceResolution] = [:]
    private var identifiers: [DiscoveredService: String] = [:]
    private var peers: [String: Known] = [:]

    /// - Parameter own: The peer that is not reported.
    init(without own: MCPeerID, report: @escaping @Sendable (Event) -> Void) { (self.own, self.report) = (own, report) }

    func add(_ service: DiscoveredService) {
        guard present.insert(service).inserted else { return }
        waiting.append(service)
        resolveNext()
    }

    func remove(_ service: DiscoveredService) {
        guard present.remove(service) != nil else { return }
        waiting.removeAll { $0 == service }
        resolutions.removeValue(forKey: service)?.stop()
        if let identifier = identifiers.removeValue(forKey: service) {
            peers[identifier]?.services.remove(service)
            if peers[identifier]?.services.isEmpty == true, let known = peers.removeValue(forKey: identifier) {
                report(.lost(known.peer))
            }
        }
        resolveNext()
    }

    /// Forgets all, without reports.
    func removeAll() {
        for resolution in resolutions.values { resolution.stop() }
        (present, waiting, resolutions, identifiers, peers) = ([], [], [:], [:], [:])
    }

    /// The services that say they are a peer.
    func services(of peer: MCPeerID) -> [DiscoveredService] { peers[peer.identifier].map { Array($0.services) } ?? [] }

    private func resolveNext() {
        while resolutions.count < Self.resolutionLimit, !waiting.isEmpty {
            let service = waiting.removeFirst()
            let resolution = try? ServiceResolution(service, timeout: Self.patience) { [weak self] in
                self?.resolved(service, $0)
            }
            guard let resolution else { continue }
            resolutions[service] = resolution
            resolution.start()
        }
    }

    private func resolved(_ service: DiscoveredService, _ event: ServiceResolution.Event) {
        guard let resolution = resolutions.removeValue(forKey: service) else { return }
        resolution.stop()
        switch event {
        case .resolved(let place): assign(service, PeerAdvertisement(place.text))
        // Others have their turn, and then this one again.
        case .failed(let error) where error.code == .timedOut: waiting.append(service)
        case .failed, .ended: break
        }
        resolveNext()
    }

    private func assign(_ service: DiscoveredService, _ advertisement: PeerAdvertisement?) {
        guard let advertisement, advertisement.peer != own else { return }
        let identifier = advertisement.peer.identifier
        if peers[identifier] == nil {
            guard peers.count < Self.peerLimit else { return }
            peers[identifier] = Known(peer: advertisement.peer, services: [])
            report(.found(advertisement.peer, advertisement.info))
        }
        identifiers[service] = identifier
        peers[identifier]?.services.insert(service)
    }
}
