import Foundation
import LockKit
import PeerKit

/// The members of a session and their connections, behind ``MCSession``.
///
/// | state of a member | what is under way | next |
/// |---|---|---|
/// | notConnected | nothing | connecting by an invitation of either side, or by others that name the member |
/// | connecting | a handshake with the identifier `attempt` | connected, notConnected |
/// | connected | `link` is set; it may be interrupted for a while | notConnected |
///
/// Invariants:
/// 1. Not more than `maximum` peers, oneself included, are connecting or connected.
/// 2. A peer that has a key keeps it: another key with its identifier is refused.
final class SessionCore: Sendable {
    struct State {
        var members: [String: Member] = [:]
        /// Handshakes of peers that no member has named yet.
        var strangers: [ObjectIdentifier: (handshake: ServerHandshake, arrived: ArrivedPeer, peer: MCPeerID)] = [:]
        /// The identifiers of members that are accepted, by their handshakes.
        var accepted: [ObjectIdentifier: String] = [:]
        /// The handshakes that this side has begun, by the attempt.
        var handshakes: [UUID: ClientHandshake] = [:]
        /// Outcomes that are awaited, by the attempt.
        var completions: [UUID: @Sendable (Result<MCPeerID, MCError>) -> Void] = [:]
        var maximum = kMCSessionMaximumNumberOfPeers
        var trust = PeerTrust.certificates
        var resourceLimit: Int64 = 16 << 30
        var allowsUnencrypted = false
        var queue: DispatchQueue
        var buffers: [Weak<EventBuffer>] = []
    }

    let identifier = UUID()
    let endpoint: PeerEndpoint
    let preference: MCEncryptionPreference
    let state: Locked<State>
    /// The session, which owns this object.
    let session = Locked(WeakStorage<MCSession>())
    let delegate = Locked(WeakDelegate())

    struct WeakDelegate {
        weak var object: (any MCSessionDelegate)?
    }

    init(_ endpoint: PeerEndpoint, preference: MCEncryptionPreference) {
        (self.endpoint, self.preference) = (endpoint, preference)
        state = Locked(State(queue: DispatchQueue(label: "MultipeerConnectivity.MCSession")))
        endpoint.register(self)
    }

    deinit { for buffer in state.withLock({ $0.buffers }) { buffer.object?.finish() } }

    /// What wires of the session need.
    var encryption: WireEncryption {
        switch preference {
        case .required: .required
        case .optional: .optional
        case .none: state.withLock { $0.allowsUnencrypted } ? .none : .required
        }
    }

    var connectedPeers: [MCPeerID] {
        state.withLock { $0.members.values.filter { $0.state == .connected }.map(\.peer) }
            .sorted { $0.identifier < $1.identifier }
    }

    func link(to peer: MCPeerID) throws -> SessionLink {
        guard
            let link = state.withLock({ state in
                state.members[peer.identifier].flatMap { $0.state == .connected ? $0.link : nil }
            })
        else {
            throw MCError(.notConnected, "\(peer.displayName) is not connected", hint: "invite the peer first")
        }
        return link
    }

    // MARK: Reporting

    /// Calls the delegate on its queue, and adds an event to the sequences.
    func report(_ event: MCSessionEvent, _ call: @escaping @Sendable (any MCSessionDelegate, MCSession) -> Void) {
        let (queue, buffers) = state.withLock { ($0.queue, $0.buffers) }
        for buffer in buffers { buffer.object?.append(event) }
        queue.async { [weak self] in
            guard let self, let session = session.withLock({ $0.object }),
                let delegate = delegate.withLock({ $0.object })
            else { return }
            call(delegate, session)
            // A message counts as waiting until here.
            withExtendedLifetime(event) {}
        }
    }

    func report(_ peer: MCPeerID, _ new: MCSessionState, _ failure: PeerFailure? = nil) {
        report(.state(peer, new, failure.map { MCError($0) })) { $0.session($1, peer: peer, didChange: new) }
    }

    func makeEvents() -> MCSessionEvents {
        let buffer = EventBuffer()
        state.withLock { state in
            state.buffers = state.buffers.filter { $0.object != nil } + [Weak(buffer)]
        }
        return MCSessionEvents(buffer: buffer)
    }

    // MARK: The end

    /// Leaves all members. Nothing of it is reported here.
    func disconnect() {
        let (members, strangers, completions) = state.withLock { state in
            defer {
                state.members = [:]
                state.strangers = [:]
                state.accepted = [:]
                state.completions = [:]
                for handshake in state.handshakes.values { handshake.cancel() }
            }
            return (state.members.values, state.strangers.values, state.completions.values)
        }
        for member in members {
            member.handshake?.cancel()
            member.link?.close(PeerFailure(.left, "\(endpoint.peer.displayName) has left the session"))
        }
        for stranger in strangers { stranger.handshake.decline(PeerFailure(.left, "the session has ended")) }
        for completion in completions { completion(.failure(MCError(.cancelled, "the session has ended"))) }
    }
}
