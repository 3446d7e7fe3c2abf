import Foundation
import LockKit
import PeerKit

/// Where a local peer listens, and from where it invites others; one for each ``MCPeerID``.
///
/// Needs no discovery: who knows a host and a port invites the peer that answers there. The sessions of the peer keep its
/// endpoint; all its connections share one thread.
public final class PeerEndpoint: Sendable {
    struct State {
        var settings: WireSettings
        var listener: (any WireListener)?
        var handler: (@Sendable (PeerInvitation) -> Void)?
        var sessions: [UUID: Weak<SessionCore>] = [:]
        var links: [UUID: Weak<SessionLink>] = [:]
        var arriving: [ObjectIdentifier: (handshake: ServerHandshake, session: SessionCore?)] = [:]
        var invitations = InvitationLimits()
    }

    private static let all = Locked<[String: Weak<PeerEndpoint>]>([:])

    /// The local peer.
    public let peer: MCPeerID
    let network: any PeerNetwork
    let loop: EventLoop
    let limits: TransportLimits
    let state: Locked<State>
    let queue = DispatchQueue(label: "MultipeerConnectivity.PeerEndpoint")

    /// The endpoint of a peer: the same object for as long as it is held.
    public static func endpoint(for peer: MCPeerID) -> PeerEndpoint {
        endpoint(for: peer, network: SocketNetwork(), limits: TransportLimits())
    }

    /// The endpoint of a peer on another network than that of sockets; a peer that has an endpoint keeps it.
    package static func endpoint(
        for peer: MCPeerID, network: any PeerNetwork, limits: TransportLimits
    ) -> PeerEndpoint {
        all.withLock { all in
            all = all.filter { $0.value.object != nil }
            if let known = all[peer.identifier]?.object { return known }
            do {
                let endpoint = try PeerEndpoint(peer, network: network, limits: limits)
                all[peer.identifier] = Weak(endpoint)
                return endpoint
            } catch {
                // Without a key and a thread no peer can exist, and Apple's initializers do not throw.
                preconditionFailure("PeerEndpoint: \(error)")
            }
        }
    }

    private init(_ peer: MCPeerID, network: any PeerNetwork, limits: TransportLimits) throws {
        self.peer = peer
        self.network = network
        self.limits = DebuggerCheck.isAttached ? limits.stretched(by: DebuggerCheck.factor) : limits
        loop = try EventLoop()
        state = Locked(State(settings: try WireSettings(keys: KeyPair())))
    }

    deinit {
        state.withLock { $0.listener?.close() }
        loop.stop()
    }

    /// The port on which the peer listens; nil while it does not.
    public var port: UInt16? { state.withLock { $0.listener?.port } }

    /// The digest of the peer's public key, by which others know it: 64 hexadecimal digits.
    public var keyDigest: String { state.withLock { $0.settings.keys.key.description } }

    /// Listens on all addresses of this machine, by IPv4 and IPv6.
    ///
    /// - Parameter port: 0 for any that is free. A peer that listens already keeps its port.
    /// - Returns: The port.
    /// - Throws: ``MCError`` if the port is taken.
    @discardableResult
    public func listen(on port: UInt16 = 0) throws -> UInt16 {
        try MCError.translated {
            try state.withLock { state in
                if let listener = state.listener { return listener.port }
                let listener = try network.listen(
                    on: port, loop: loop,
                    settings: { [weak self] in self?.listeningSettings ?? Self.refusing },
                    accept: { [weak self] in self?.arrived($0) })
                state.listener = listener
                return listener.port
            }
        }
    }

    /// Listens no more. Connections stay, but cannot come back if the other side has made them.
    public func stopListening() {
        let listener = state.withLock { state in
            defer { state.listener = nil }
            return state.listener
        }
        listener?.close()
    }

    /// Sets what is called, on a private queue, when a peer invites this one; without it all invitations are declined.
    public func setInvitationHandler(_ handler: (@Sendable (PeerInvitation) -> Void)?) {
        state.withLock { $0.handler = handler }
    }

    /// Invites a peer into a session. The session's delegate is called with `connecting`, and `connected` or `notConnected`;
    /// ``MCSession/reason(forPeer:)`` says why.
    ///
    /// - Parameters:
    ///   - peer: The peer to which the addresses lead; another one that answers is refused. nil: any that answers.
    ///   - addresses: Tried one after another until one answers.
    ///   - context: Shown to the other side, at most about 11 KB.
    ///   - timeout: Seconds for which an answer is awaited; 30 if it is not positive.
    public func invite(
        _ peer: MCPeerID?, at addresses: [PeerAddress], to session: MCSession, context: Data? = nil,
        timeout: TimeInterval = 30
    ) {
        session.core.invite(peer, at: addresses, context: context, timeout: timeout > 0 ? timeout : 30) { _ in }
    }
}

/// A reference that keeps nothing alive.
final class Weak<Object: AnyObject & Sendable>: Sendable {
    private let storage: Locked<WeakStorage<Object>>
    init(_ object: Object?) { storage = Locked(WeakStorage(object: object)) }
    var object: Object? {
        storage.withLock { $0.object }
    }
}

struct WeakStorage<Object: AnyObject> {
    weak var object: Object?
}
