import DiscoveryKit
import Foundation
import LockKit
import PeerKit

/// Makes a peer visible to browsers of the same service type, and receives their invitations.
///
/// Being visible grants nothing: each invitation is put to the delegate, and without one it is declined. Starting twice
/// and stopping twice are harmless. After `stopAdvertisingPeer` no invitations arrive, and connections stay.
open class MCNearbyServiceAdvertiser: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any MCNearbyServiceAdvertiserDelegate)?
        var publication: ServicePublication?
    }

    /// The peer that is made visible.
    public let myPeerID: MCPeerID
    /// What browsers see of the peer before they invite it.
    public let discoveryInfo: [String: String]?
    /// The type of service, such as `oz-tictactoe`.
    public let serviceType: String

    private let type: ServiceType
    private let record: TextRecord
    private let endpoint: PeerEndpoint
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "MultipeerConnectivity.MCNearbyServiceAdvertiser")

    /// Makes an advertiser; stops for a service type or discovery info that break the rules of `init(validating:)`.
    public convenience init(peer myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String) {
        do {
            try self.init(validating: myPeerID, discoveryInfo: info, serviceType: serviceType)
        } catch {
            preconditionFailure("MCNearbyServiceAdvertiser: \(error.localizedDescription)")
        }
    }

    /// Makes an advertiser.
    ///
    /// - Parameters:
    ///   - info: Keys of ASCII without `=`, best of at most 9 characters, and values; an entry has at most 255 bytes with its key and
    ///     the equals sign.
    ///   - serviceType: 1 to 15 characters of a to z, 0 to 9 and hyphens, at least one letter, hyphens neither at the ends nor
    ///     beside each other.
    /// - Throws: ``MCError`` with `invalidParameter` and the rule that is broken.
    public init(validating myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String) throws {
        type = try PeerAdvertisement.type(serviceType)
        record = try PeerAdvertisement.record(of: myPeerID, info)
        (self.myPeerID, discoveryInfo, self.serviceType) = (myPeerID, info, serviceType)
        endpoint = PeerEndpoint.endpoint(for: myPeerID)
    }

    deinit { stopAdvertisingPeer() }

    /// What decides about invitations; not retained.
    open var delegate: (any MCNearbyServiceAdvertiserDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Begins to listen for invitations and to be visible.
    ///
    /// Invitations of the peer's ``PeerEndpoint`` go to this advertiser from now on.
    open func startAdvertisingPeer() {
        do {
            // One that failed is tried again; one that succeeded stays as it is.
            if let publication = state.withLock({ $0.publication }) { return publication.start() }
            let port = try endpoint.listen()
            endpoint.setInvitationHandler { [weak self] in self?.received($0) }
            let service = PublishedService(name: myPeerID.displayName, type: type, port: port, text: record)
            let publication = try ServicePublication(service) { [weak self] in
                switch $0 {
                case .published: break
                case .interrupted(let error), .failed(let error): self?.failed(MCError(discovery: error))
                }
            }
            let isFirst = state.withLock { state in
                guard state.publication == nil else { return false }
                state.publication = publication
                return true
            }
            if isFirst { publication.start() }
        } catch {
            failed((error as? DiscoveryError).map(MCError.init(discovery:)) ?? error)
        }
    }

    /// Is no longer visible, and declines invitations; connections stay.
    open func stopAdvertisingPeer() {
        let publication = state.withLock { state in
            defer { state.publication = nil }
            return state.publication
        }
        guard let publication else { return }
        publication.stop()
        endpoint.setInvitationHandler(nil)
    }

    private func received(_ invitation: PeerInvitation) {
        queue.async { [weak self] in
            guard let self, let delegate, state.withLock({ $0.publication }) != nil else {
                return invitation.answer(false, session: nil)
            }
            delegate.advertiser(
                self, didReceiveInvitationFromPeer: invitation.peer, withContext: invitation.context
            ) { invitation.answer($0, session: $1) }
        }
    }

    /// The publication stays, so that invitations by address arrive until `stopAdvertisingPeer`.
    private func failed(_ error: any Error) {
        queue.async { [weak self] in
            guard let self else { return }
            delegate?.advertiser(self, didNotStartAdvertisingPeer: error)
        }
    }
}
