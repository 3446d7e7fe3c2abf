import Foundation
import LockKit
import PeerKit

/// An invitation of another peer into its session, which awaits an answer.
public final class PeerInvitation: Sendable {
    /// Who invites.
    public let peer: MCPeerID
    /// What the other side says with its invitation: bytes of a stranger, to be checked.
    public let context: Data?
    /// Six digits that are the same on both sides unless a third party stands between them.
    public let code: String
    /// Seconds for which the other side waits.
    public let timeout: TimeInterval

    let arrived: ArrivedPeer
    private let handshake: ServerHandshake
    private let endpoint: PeerEndpoint
    private let isAnswered = Locked(false)

    init(_ handshake: ServerHandshake, _ arrived: ArrivedPeer, peer: MCPeerID, endpoint: PeerEndpoint) {
        (self.handshake, self.arrived, self.peer, self.endpoint) = (handshake, arrived, peer, endpoint)
        (context, code, timeout) = (arrived.context, arrived.code, arrived.timeout)
    }

    deinit { answer(false, session: nil) }

    /// Answers the invitation; a second answer is ignored. An invitation that is released unanswered is declined.
    ///
    /// - Parameter session: The session into which the peer is taken; without one the invitation is declined.
    public func answer(_ accept: Bool, session: MCSession?) {
        let isFirst = isAnswered.withLock { isAnswered in
            defer { isAnswered = true }
            return !isAnswered
        }
        guard isFirst else { return }
        guard accept, let session else {
            return handshake.decline(PeerFailure(.declined, "the invitation was declined"))
        }
        session.core.take(handshake, arrived, peer)
    }
}
