import Foundation
import LockKit
import PeerKit

extension SessionCore {
    /// Seconds for which a peer that no member has named waits for being named.
    private static let strangerSeconds = 5.0

    /// Takes a peer in whose invitation was accepted.
    func take(_ handshake: ServerHandshake, _ arrived: ArrivedPeer, _ peer: MCPeerID) {
        do {
            try prepare(handshake, arrived, peer)
        } catch {
            let failure = error as? PeerFailure ?? PeerFailure(.invalid, "\(error)")
            return handshake.decline(failure)
        }
        report(peer, .connecting)
        guard endpoint.assign(handshake, to: self) else {
            return failed(handshake, PeerFailure(.cancelled, "the invitation was withdrawn"))
        }
        decide(arrived, peer) { [weak self] failure in
            guard let self else { return handshake.decline(PeerFailure(.left, "the session has ended")) }
            if let failure { return handshake.decline(failure) }
            handshake.accept(for: identifier)
        }
    }

    private func prepare(_ handshake: ServerHandshake, _ arrived: ArrivedPeer, _ peer: MCPeerID) throws {
        guard arrived.key != nil || encryption != .required else {
            throw PeerFailure(.encryption, "the session demands encryption")
        }
        let replaced = try state.withLock { state -> SessionLink? in
            let replaced = try makeRoom(&state, arrived, peer)
            try begin(&state, peer, arrived.link)
            state.accepted[ObjectIdentifier(handshake)] = peer.identifier
            return replaced
        }
        if let replaced {
            replaced.close(PeerFailure(.left, "a newer connection took the place of this one"))
            report(peer, .notConnected, PeerFailure(.lost, "the peer has begun again"))
        }
    }

    /// Lets a peer that begins again take its own place. A peer with another key is refused.
    private func makeRoom(_ state: inout State, _ arrived: ArrivedPeer, _ peer: MCPeerID) throws -> SessionLink? {
        guard let member = state.members[peer.identifier] else { return nil }
        guard member.key == nil || member.key == arrived.key else {
            throw PeerFailure(.identity, "the identifier belongs to a peer with another key")
        }
        switch member.state {
        case .notConnected: return nil
        case .connecting:
            // Both sides connect at the same time: the attempt of the lower identifier stands.
            guard member.handshake != nil, endpoint.peer.identifier > peer.identifier else {
                throw PeerFailure(.limit, "the two are connecting already")
            }
            member.handshake?.cancel()
            state.members[peer.identifier]?.state = .notConnected
            state.members[peer.identifier]?.attempt = nil
            state.members[peer.identifier]?.handshake = nil
            return nil
        case .connected:
            let isOpen = member.link.map { !$0.connection.isInterrupted } ?? false
            guard arrived.purpose == .invite && arrived.key != nil || !isOpen else {
                throw PeerFailure(.limit, "the two are connected already")
            }
            state.members[peer.identifier]?.state = .notConnected
            state.members[peer.identifier]?.link = nil
            return member.link
        }
    }

    /// Takes a peer in that another member has named, or waits until one does.
    func admit(_ handshake: ServerHandshake, _ arrived: ArrivedPeer, _ peer: MCPeerID) {
        let isNamed = state.withLock { state in
            guard let member = state.members[peer.identifier], isExpected(member, arrived) else {
                state.strangers[ObjectIdentifier(handshake)] = (handshake, arrived, peer)
                return false
            }
            return true
        }
        guard !isNamed else { return take(handshake, arrived, peer) }
        endpoint.loop.perform(after: Self.strangerSeconds) { [weak self] in
            let stranger = self?.state.withLock { $0.strangers.removeValue(forKey: ObjectIdentifier(handshake)) }
            stranger?.handshake.decline(PeerFailure(.unknown, "no member of the session has named the peer"))
        }
    }

    private func isExpected(_ member: Member, _ arrived: ArrivedPeer) -> Bool {
        if let token = member.token { return arrived.context == token }
        return member.session == arrived.session && member.key == arrived.key
    }

    /// Looks whether peers that wait have been named.
    func admitStrangers() {
        let named = state.withLock { state in
            let named = state.strangers.filter { entry in
                state.members[entry.value.peer.identifier].map { isExpected($0, entry.value.arrived) } ?? false
            }
            for key in named.keys { state.strangers[key] = nil }
            return named.values
        }
        for stranger in named { take(stranger.handshake, stranger.arrived, stranger.peer) }
    }

    /// Decides whether the key of a peer is trusted.
    func decide(_ arrived: ArrivedPeer, _ peer: MCPeerID, _ answer: @escaping @Sendable (PeerFailure?) -> Void) {
        let (known, trust) = state.withLock { ($0.members[peer.identifier]?.key, $0.trust) }
        if let known {
            // The peer was trusted before, or a member that is trusted has named it.
            return answer(
                known == arrived.key
                    ? nil
                    : PeerFailure(
                        .identity, "\(peer.displayName) has another key than before"))
        }
        switch trust {
        case .pairing(let paired, let confirm):
            let decision = TrustDecision(peer: peer, key: arrived.key, code: arrived.code)
            endpoint.queue.async { decision.byPairing(paired, confirm: confirm, answer) }
        case .certificates:
            let queue = state.withLock { $0.queue }
            queue.async { [weak self] in
                guard let self, let session = session.withLock({ $0.object }),
                    let delegate = delegate.withLock({ $0.object })
                else { return answer(nil) }
                let certificates = arrived.certificate.map { [Data($0)] }
                delegate.session(session, didReceiveCertificate: certificates, fromPeer: peer) { isTrusted in
                    answer(isTrusted ? nil : PeerFailure(.identity, "the certificate was not trusted"))
                }
            }
        }
    }

    /// A peer that was accepted has confirmed.
    func completed(_ handshake: ServerHandshake, _ result: HandshakeResult) {
        state.withLock { _ = $0.accepted.removeValue(forKey: ObjectIdentifier(handshake)) }
        connected(
            result, isConnecting: false,
            address: PeerAddress(host: result.peer.host, port: result.peer.introduction.port))
    }

    /// A peer that was accepted did not come.
    func failed(_ handshake: ServerHandshake, _ failure: PeerFailure) {
        let attempt = state.withLock { state in
            state.accepted.removeValue(forKey: ObjectIdentifier(handshake)).flatMap { state.members[$0]?.attempt }
        }
        if let attempt { failed(attempt: attempt, failure) }
    }
}
