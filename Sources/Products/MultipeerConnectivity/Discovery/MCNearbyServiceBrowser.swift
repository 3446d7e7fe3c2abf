import DiscoveryKit
import Foundation
import LockKit
import PeerKit

/// Finds peers that are advertised with a service type, and invites them.
///
/// The own peer is not found. Starting twice and stopping twice are harmless. Connections do not depend on browsing.
open class MCNearbyServiceBrowser: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any MCNearbyServiceBrowserDelegate)?
        var browsing: ServiceBrowsing?
        var peers: NearbyPeers?
    }

    /// The peer that looks for others.
    public let myPeerID: MCPeerID
    /// The type of service, such as `oz-tictactoe`.
    public let serviceType: String

    private let type: ServiceType
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "MultipeerConnectivity.MCNearbyServiceBrowser")

    /// Makes a browser; stops for a service type that breaks the rules of `MCNearbyServiceAdvertiser.init(validating:)`.
    public convenience init(peer myPeerID: MCPeerID, serviceType: String) {
        do {
            try self.init(validating: myPeerID, serviceType: serviceType)
        } catch {
            preconditionFailure("MCNearbyServiceBrowser: \(error.localizedDescription)")
        }
    }

    /// Makes a browser.
    ///
    /// - Throws: ``MCError`` with `invalidParameter` and the rule that the service type breaks.
    public init(validating myPeerID: MCPeerID, serviceType: String) throws {
        type = try PeerAdvertisement.type(serviceType)
        (self.myPeerID, self.serviceType) = (myPeerID, serviceType)
    }

    deinit { stopBrowsingForPeers() }

    /// What is notified of peers; not retained.
    open var delegate: (any MCNearbyServiceBrowserDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Begins to look for peers.
    open func startBrowsingForPeers() {
        guard state.withLock({ $0.browsing }) == nil else { return }
        let peers = NearbyPeers(without: myPeerID) { [weak self] in self?.report($0) }
        do throws(DiscoveryError) {
            let browsing = try ServiceBrowsing(type) { [weak self] in
                switch $0 {
                case .found(let service, _): peers.add(service)
                case .removed(let service, _): peers.remove(service)
                case .interrupted(let error): self?.notify(error)
                case .failed(let error):
                    peers.removeAll()
                    self?.failed(error)
                }
            }
            let isFirst = state.withLock { state in
                guard state.browsing == nil else { return false }
                (state.browsing, state.peers) = (browsing, peers)
                return true
            }
            if isFirst { browsing.start() }
        } catch {
            failed(error)
        }
    }

    /// Ends looking for peers. Those that were found are not reported as lost.
    open func stopBrowsingForPeers() {
        let (browsing, peers) = state.withLock { state in
            defer { (state.browsing, state.peers) = (nil, nil) }
            return (state.browsing, state.peers)
        }
        browsing?.stop { peers?.removeAll() }
    }

    /// Invites a peer that was found into a session. The outcome is reported to the session's delegate.
    ///
    /// - Parameters:
    ///   - context: Anything that helps the other side to decide.
    ///   - timeout: Seconds to wait for an answer; 30 if it is not positive.
    open func invitePeer(_ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval) {
        let endpoint = PeerEndpoint.endpoint(for: session.myPeerID)
        let peers = state.withLock { $0.peers }
        let limit = timeout > 0 ? timeout : 30
        DiscoveryQueue.queue.async {
            PeerAddresses.find(peers?.services(of: peerID) ?? [], timeout: min(limit, 10)) { addresses in
                // Without addresses the session reports why the peer is not connected.
                endpoint.invite(peerID, at: addresses, to: session, context: context, timeout: limit)
            }
        }
    }

    private func report(_ event: NearbyPeers.Event) {
        queue.async { [weak self] in
            guard let self, state.withLock({ $0.browsing }) != nil else { return }
            switch event {
            case .found(let peer, let info): delegate?.browser(self, foundPeer: peer, withDiscoveryInfo: info)
            case .lost(let peer): delegate?.browser(self, lostPeer: peer)
            }
        }
    }

    private func failed(_ error: DiscoveryError) {
        state.withLock { ($0.browsing, $0.peers) = (nil, nil) }
        notify(error)
    }

    private func notify(_ error: DiscoveryError) {
        queue.async { [weak self] in
            guard let self else { return }
            delegate?.browser(self, didNotStartBrowsingForPeers: MCError(discovery: error))
        }
    }
}
