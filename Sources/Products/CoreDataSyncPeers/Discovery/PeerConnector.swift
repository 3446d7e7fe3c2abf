import Foundation
import MultipeerConnectivity
import Synchronization

/// Brings the devices of a group together: each is visible on the local network under a service type, and two that see each other connect.
///
/// Being seen grants nothing: whether a device is trusted is for the session's `MCSession.trust` to say, for which
/// a connector demands pairing. A connection that is lost is made again for as long as the device is visible, unless one of the two
/// was not admitted: then when it has become visible again.
public final class PeerConnector: NSObject, Sendable {
    /// What went wrong, for people: there is no discovery on this machine, or a device was not admitted.
    public let problems: AsyncStream<any Error>
    private let report: AsyncStream<any Error>.Continuation
    private let transport: PeerTransport
    private let group: String
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser
    private let visible = Mutex<[String: MCPeerID]>([:])
    private let observer = Mutex<(@Sendable (Sighting) -> Void)?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// How long a device that was lost is left alone, and how long the device with the greater identifier waits for the other's invitation.
    private static let pause = Duration.seconds(3)
    /// How long an invitation waits for an answer, in seconds: people compare codes.
    static let patience = 120.0

    /// What discovery says of devices of the group.
    enum Sighting: Sendable {
        case found(MCPeerID)
        case lost(MCPeerID)
        case failed(any Error)
    }

    /// Makes a connector of the devices that name the same group.
    ///
    /// - Parameters:
    ///   - serviceType: As for `MCNearbyServiceAdvertiser`: 1 to 15 characters of a to z, 0 to 9 and hyphens.
    ///   - group: Which of several groups of one service type; 100 bytes at most. It is seen on the network, and is no secret.
    /// - Throws: `MCError` with `invalidParameter` and the rule that is broken: also for a session whose trust is not by pairing.
    public init(_ transport: PeerTransport, serviceType: String, group: String = "") throws {
        guard case .pairing = transport.session.trust else {
            throw MCError(
                .invalidParameter, "the session trusts every device",
                hint: "set its 'trust' to '.pairing' before the connector is made")
        }
        guard group.utf8.count <= 100 else {
            throw MCError(.invalidParameter, "the group '\(group.prefix(20))…' has more than 100 bytes")
        }
        (self.transport, self.group) = (transport, group)
        let peer = transport.session.myPeerID
        advertiser = try MCNearbyServiceAdvertiser(
            validating: peer, discoveryInfo: ["group": group], serviceType: serviceType)
        browser = try MCNearbyServiceBrowser(validating: peer, serviceType: serviceType)
        (problems, report) = AsyncStream.makeStream(of: (any Error).self, bufferingPolicy: .bufferingNewest(16))
        super.init()
        advertiser.delegate = self
        browser.delegate = self
    }

    deinit { stop() }

    /// Begins to be visible, to look for others, and to connect with them.
    public func start() {
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
        task.withLock { task in
            guard task == nil else { return }
            task = Task { [weak self, events = transport.session.events] in
                for await event in events {
                    guard case .state(let peer, .notConnected, let error) = event else { continue }
                    if let error { self?.report.yield(error) }
                    // People who found the codes different are not asked every few seconds.
                    if error?.isLasting != true { self?.invite(peer.identifier, after: Self.pause) }
                }
            }
        }
    }

    /// Is no longer visible. Connections stay.
    public func stop() {
        advertiser.stopAdvertisingPeer()
        browser.stopBrowsingForPeers()
        visible.withLock { $0 = [:] }
        task.withLock { task in
            task?.cancel()
            task = nil
        }
    }

    /// Calls a block with what discovery says.
    func observe(_ seen: @escaping @Sendable (Sighting) -> Void) { observer.withLock { $0 = seen } }

    private func notify(_ sighting: Sighting) { observer.withLock { $0 }?(sighting) }

    /// Invites a device that is visible, also one that was refused.
    func inviteNow(_ identifier: String) { inviteIfVisible(identifier) }

    /// Of two devices the one with the smaller identifier invites, unless it does not see the other or has left by itself: then the other does.
    private func invite(_ identifier: String, after pause: Duration) {
        let isFirst = transport.session.myPeerID.identifier < identifier
        Task { [weak self] in
            try? await Task.sleep(for: isFirst ? pause : pause + Self.pause)
            self?.inviteIfVisible(identifier)
        }
    }

    private func inviteIfVisible(_ identifier: String) {
        let session = transport.session
        guard let peer = visible.withLock({ $0[identifier] }), !session.connectedPeers.contains(peer) else { return }
        browser.invitePeer(peer, to: session, withContext: Data(group.utf8), timeout: Self.patience)
    }
}

extension PeerConnector: MCNearbyServiceAdvertiserDelegate {
    /// Accepts who names the same group; whether the device is trusted is the session's to decide.
    public func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        invitationHandler(context == Data(group.utf8), transport.session)
    }

    /// Reports the error.
    public func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        report.yield(error)
        notify(.failed(error))
    }
}

extension PeerConnector: MCNearbyServiceBrowserDelegate {
    /// Connects with a device of the group.
    public func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
    ) {
        guard info?["group"] ?? "" == group else { return }
        visible.withLock { $0[peerID.identifier] = peerID }
        notify(.found(peerID))
        invite(peerID.identifier, after: .zero)
    }

    /// A device that is lost is not invited again; its connection stays.
    public func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        visible.withLock { $0[peerID.identifier] = nil }
        notify(.lost(peerID))
    }

    /// Reports the error.
    public func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        report.yield(error)
        notify(.failed(error))
    }
}
