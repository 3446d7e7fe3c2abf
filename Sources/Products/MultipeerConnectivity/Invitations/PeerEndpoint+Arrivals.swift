import Foundation
import LockKit
import PeerKit

extension PeerEndpoint {
    /// What a listener that has no endpoint any longer uses for a last connection.
    static var refusing: WireSettings {
        do { return try WireSettings(keys: KeyPair()) } catch { preconditionFailure("PeerEndpoint: \(error)") }
    }

    /// The settings of wires that arrive: as little encryption as one of the sessions allows.
    var listeningSettings: WireSettings {
        let (settings, sessions) = state.withLock { ($0.settings, $0.sessions.values.compactMap(\.object)) }
        var chosen = settings
        chosen.encryption = sessions.map(\.encryption).min { $0.rawValue < $1.rawValue } ?? .required
        // A session that wants no encryption shares the listener with others that may.
        if chosen.encryption == .none, sessions.contains(where: { $0.encryption != .none }) {
            chosen.encryption = .optional
        }
        return chosen
    }

    /// What the peer says of itself to others.
    var introduction: Introduction {
        Introduction(
            name: peer.displayName, identifier: peer.identifier, port: port ?? 0,
            isDebugged: DebuggerCheck.isAttached, messageBytes: limits.messageBytes)
    }

    /// Uses another key for connections that are made from now on.
    func use(_ identity: PeerIdentity) throws {
        let settings = try WireSettings(keys: identity.keys)
        state.withLock { $0.settings = settings }
    }

    func settings(_ encryption: WireEncryption) -> WireSettings {
        var settings = state.withLock { $0.settings }
        settings.encryption = encryption
        return settings
    }

    func register(_ session: SessionCore) {
        state.withLock { state in
            state.sessions = state.sessions.filter { $0.value.object != nil }
            state.sessions[session.identifier] = Weak(session)
        }
    }

    func register(_ link: SessionLink) {
        state.withLock { state in
            state.links = state.links.filter { $0.value.object != nil }
            state.links[link.connection.identifier] = Weak(link)
        }
    }

    /// Notes for which session an arriving peer is accepted; false if the peer has withdrawn before.
    func assign(_ handshake: ServerHandshake, to session: SessionCore) -> Bool {
        state.withLock { state in
            guard state.arriving[ObjectIdentifier(handshake)] != nil else { return false }
            state.arriving[ObjectIdentifier(handshake)]?.session = session
            return true
        }
    }

    func arrived(_ wire: any Wire) {
        let host = wire.remoteHost
        let hasRoom = state.withLock { state in
            // One host leaves places to others.
            state.arriving.count < limits.handshakes
                && state.arriving.values.count { $0.handshake.remoteHost == host } < limits.handshakesPerHost
        }
        guard hasRoom else { return wire.close() }
        let owner = ServerHandshake.Owner(
            resume: { [weak self] in
                guard let self else { throw PeerFailure(.unknown, "the peer is gone") }
                return try resume($0)
            },
            arrived: { [weak self] in self?.introduced($0, $1) },
            completion: { [weak self] in self?.completed($0, $1) })
        let ownKey = state.withLock { $0.settings.keys.key }
        let handshake = ServerHandshake(
            introduction, wire: wire, ownKey: ownKey, loop: loop, limits: limits, owner: owner)
        state.withLock { $0.arriving[ObjectIdentifier(handshake)] = (handshake, nil) }
    }

    /// The number up to which all frames of a connection that comes back have been received.
    private func resume(_ peer: ArrivedPeer) throws -> UInt64 {
        guard let link = state.withLock({ $0.links[peer.link]?.object }), !link.connection.isClosed else {
            throw PeerFailure(.unknown, "there is no connection to come back to", hint: "invite the peer again")
        }
        guard let key = link.connection.peerKey, peer.key == key else {
            throw PeerFailure(.identity, "the connection belongs to another key")
        }
        return link.connection.receivedNumber
    }

    private func introduced(_ handshake: ServerHandshake, _ arrived: ArrivedPeer) {
        do {
            let known = arrived.introduction
            guard known.identifier != peer.identifier else {
                throw PeerFailure(.identity, "the peer has the identifier of this one")
            }
            let peer = try MCPeerID(displayName: known.name, identifier: known.identifier)
            if arrived.purpose == .join {
                let session = arrived.target.flatMap { target in state.withLock { $0.sessions[target]?.object } }
                guard let session else { throw PeerFailure(.unknown, "there is no such session") }
                session.admit(handshake, arrived, peer)
            } else {
                try ask(handshake, arrived, peer)
            }
        } catch {
            handshake.decline(error as? PeerFailure ?? PeerFailure(.invalid, "\(error)"))
        }
    }

    private func ask(_ handshake: ServerHandshake, _ arrived: ArrivedPeer, _ peer: MCPeerID) throws {
        guard let handler = state.withLock({ $0.handler }) else {
            throw PeerFailure(.declined, "the peer takes no invitations at present")
        }
        try state.withLock { state in
            try state.invitations.begin(handshake, of: arrived.key?.description ?? arrived.host, at: arrived.host)
        }
        let invitation = PeerInvitation(handshake, arrived, peer: peer, endpoint: self)
        queue.async { handler(invitation) }
    }

    private func completed(_ handshake: ServerHandshake, _ result: Result<HandshakeResult, PeerFailure>) {
        let session = state.withLock { state in
            state.invitations.end(handshake)
            return state.arriving.removeValue(forKey: ObjectIdentifier(handshake))?.session
        }
        switch result {
        case .success(let result) where result.peer.purpose == .resume:
            guard let link = state.withLock({ $0.links[result.peer.link]?.object }) else { return result.wire.close() }
            link.connection.attach(result.wire, received: result.received, bytes: result.bytes)
        case .success(let result):
            guard let session else { return result.wire.close() }
            session.completed(handshake, result)
        case .failure(let failure): session?.failed(handshake, failure)
        }
    }
}
