import Foundation
import LockKit
import PeerKit

/// Peers that exchange messages, resources and streams, each with each.
///
/// A peer comes into a session by an invitation, which it accepts. From then on the members name each other, and all of them
/// connect. A connection that breaks comes back for a time: reliable messages that were sent during that time arrive then, once and
/// in order, and the state stays `connected`.
///
/// May be used from any thread. The delegate is called on ``delegateQueue``.
open class MCSession: NSObject, @unchecked Sendable {
    /// The local peer.
    public let myPeerID: MCPeerID
    /// What the session was made with.
    public let securityIdentity: [Any]?
    /// Whether connections are encrypted.
    public var encryptionPreference: MCEncryptionPreference { core.preference }
    /// Where the local peer listens.
    public let endpoint: PeerEndpoint
    let core: SessionCore

    /// Makes a session whose connections are encrypted, with a key that is made for the process.
    public convenience init(peer myPeerID: MCPeerID) {
        self.init(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
    }

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - identity: Its first element is a ``PeerIdentity``, or a key and its certificate as PEM; stops if it is none. The
    ///     local peer uses that key from then on.
    ///   - encryptionPreference: `.none` is refused unless ``allowsUnencryptedConnections`` is set too.
    public init(
        peer myPeerID: MCPeerID, securityIdentity identity: [Any]?, encryptionPreference: MCEncryptionPreference
    ) {
        (self.myPeerID, securityIdentity) = (myPeerID, identity)
        endpoint = PeerEndpoint.endpoint(for: myPeerID)
        core = SessionCore(endpoint, preference: encryptionPreference)
        super.init()
        core.session.withLock { $0.object = self }
        guard let identity, !identity.isEmpty else { return }
        guard let first = PeerIdentity.first(of: identity), (try? endpoint.use(first)) != nil else {
            preconditionFailure("MCSession: the security identity has no private key with its certificate, as PEM")
        }
    }

    deinit { core.disconnect() }

    /// What the session reports to.
    open weak var delegate: (any MCSessionDelegate)? {
        get { core.delegate.withLock { $0.object } }
        set { core.delegate.withLock { $0.object = newValue } }
    }

    /// Where the delegate is called: a serial queue of the session's own, unless it is set, for example to `.main`.
    public var delegateQueue: DispatchQueue {
        get { core.state.withLock { $0.queue } }
        set { core.state.withLock { $0.queue = newValue } }
    }

    /// The peers that are connected, also those whose connection is interrupted for a moment.
    open var connectedPeers: [MCPeerID] { core.connectedPeers }

    /// How many peers the session may have, oneself included: 8 unless it is raised, at most 1,024.
    public var maximumNumberOfPeers: Int {
        get { core.state.withLock { $0.maximum } }
        set { core.state.withLock { $0.maximum = min(max(newValue, kMCSessionMinimumNumberOfPeers), 1_024) } }
    }

    /// How the session decides whether the key of a peer is trusted.
    public var trust: PeerTrust {
        get { core.state.withLock { $0.trust } }
        set { core.state.withLock { $0.trust = newValue } }
    }

    /// Bytes of the largest resource that is received: 16 GiB unless it is set.
    public var maximumResourceSize: Int64 {
        get { core.state.withLock { $0.resourceLimit } }
        set { core.state.withLock { $0.resourceLimit = max(0, newValue) } }
    }

    /// Whether the encryption preference `none` is meant: then everything can be read and changed on its way, and a
    /// connection that breaks does not come back, since neither side can prove to be its owner.
    public var allowsUnencryptedConnections: Bool {
        get { core.state.withLock { $0.allowsUnencrypted } }
        set { core.state.withLock { $0.allowsUnencrypted = newValue } }
    }

    /// Why a peer is not connected; nil if it is, or was never seen.
    public func reason(forPeer peerID: MCPeerID) -> MCError? {
        core.state.withLock { $0.members[peerID.identifier]?.failure }.map { MCError($0) }
    }

    /// The events of the session from now on.
    public var events: MCSessionEvents { core.makeEvents() }

    // MARK: Connecting

    /// Leaves the session. The others learn that this peer has left; nothing is reported here.
    open func disconnect() { core.disconnect() }

    /// Withdraws from a peer that is connecting.
    open func cancelConnectPeer(_ peerID: MCPeerID) { core.cancel(peerID) }

    /// Invites the peer that answers at an address, and waits for the outcome. The local peer listens from then on, so that the
    /// other members reach it.
    ///
    /// - Returns: The peer, which is connected.
    /// - Throws: ``MCError``: `cancelled` if the invitation was declined, `timedOut`, `unavailable`.
    @discardableResult
    public func invite(
        _ peer: MCPeerID? = nil, at addresses: [PeerAddress], context: Data? = nil, timeout: TimeInterval = 30
    ) async throws -> MCPeerID {
        try await withCheckedThrowingContinuation { continuation in
            core.invite(peer, at: addresses, context: context, timeout: timeout > 0 ? timeout : 30) {
                continuation.resume(with: $0)
            }
        }
    }

    /// Makes what another program needs to connect to this session without an invitation; only the peer named may use it.
    ///
    /// The data hold a secret: hand them over by a way that others do not see. The local peer listens from then on.
    open func nearbyConnectionData(
        forPeer peerID: MCPeerID, withCompletionHandler completionHandler: @escaping (Data?, (any Error)?) -> Void
    ) {
        do {
            let port = try endpoint.listen()
            let token = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
            let data = NearbyConnectionData(
                identifier: myPeerID.identifier, session: core.identifier, key: endpoint.keyDigest, token: token,
                addresses: endpoint.addresses.map { PeerAddress(host: $0, port: port) })
            core.expect(peerID, token: token)
            completionHandler(try JSONEncoder().encode(data), nil)
        } catch { completionHandler(nil, error) }
    }

    /// Connects to a peer by data that ``nearbyConnectionData(forPeer:withCompletionHandler:)`` has made there.
    ///
    /// Data that cannot be read, or are of another peer, are reported as `notConnected` with a reason.
    open func connectPeer(_ peerID: MCPeerID, withNearbyConnectionData data: Data) {
        do { try core.connect(peerID, NearbyConnectionData.read(data, of: peerID)) } catch {
            core.reject(peerID, error as? MCError ?? MCError(.unknown, "\(error)"))
        }
    }
}
