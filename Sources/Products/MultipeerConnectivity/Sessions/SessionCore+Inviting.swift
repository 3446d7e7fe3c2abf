import Foundation
import LockKit
import PeerKit

extension SessionCore {
    /// Seconds after which the next address is tried while one does not answer.
    private static let patience = 3.0

    /// Invites a peer at one of its addresses.
    func invite(
        _ peer: MCPeerID?, at addresses: [PeerAddress], context: Data?, timeout: TimeInterval,
        _ completion: @escaping @Sendable (Result<MCPeerID, MCError>) -> Void
    ) {
        let attempt = UUID()
        do {
            guard !addresses.isEmpty else { throw PeerFailure(.unreachable, "no address of the peer is known") }
            try state.withLock { state in
                if let peer { try begin(&state, peer, attempt) } else { try checkRoom(state) }
                state.completions[attempt] = completion
            }
        } catch {
            let failure = error as? PeerFailure ?? PeerFailure(.invalid, "\(error)")
            if let peer { refuse(peer, failure) }
            return completion(.failure(MCError(failure)))
        }
        if let peer { report(peer, .connecting) }
        // The members of the other side's session connect to this peer, too.
        _ = try? endpoint.listen()
        var request = ClientHandshake.Request(
            introduction: endpoint.introduction, purpose: .invite, session: identifier, link: attempt, timeout: timeout)
        request.context = context
        request.expectedIdentifier = peer?.identifier
        request.expectedKey = peer.flatMap { peer in state.withLock { $0.members[peer.identifier]?.key } }
        connect(request, peer, addresses)
    }

    /// An attempt that was never begun leaves the state as it is.
    private func refuse(_ peer: MCPeerID, _ failure: PeerFailure) {
        let isNew = state.withLock { state in
            guard state.members[peer.identifier]?.state ?? .notConnected == .notConnected else { return false }
            state.members[peer.identifier, default: Member(peer)].failure = failure
            return true
        }
        if isNew { report(peer, .notConnected, failure) }
    }

    func checkRoom(_ state: State) throws {
        let count = state.members.values.count { $0.state != .notConnected }
        guard count + 1 < state.maximum else {
            throw PeerFailure(
                .limit, "the session has \(count + 1) peers, and at most \(state.maximum) are allowed",
                hint: "raise maximumNumberOfPeers at all of them")
        }
    }

    /// Notes that a peer is about to be connected.
    ///
    /// - Throws: `PeerFailure` if it is connected already, or there is no room.
    func begin(_ state: inout State, _ peer: MCPeerID, _ attempt: UUID) throws {
        guard peer.identifier != endpoint.peer.identifier else {
            throw PeerFailure(.invalid, "a peer cannot connect to itself")
        }
        let known = state.members[peer.identifier]?.state ?? .notConnected
        guard known == .notConnected else {
            throw PeerFailure(
                .invalid, "\(peer.displayName) is \(known == .connected ? "connected" : "connecting") already")
        }
        try checkRoom(state)
        state.members[peer.identifier, default: Member(peer)].peer = peer
        state.members[peer.identifier]?.state = .connecting
        state.members[peer.identifier]?.attempt = attempt
        state.members[peer.identifier]?.failure = nil
    }

    /// Tries addresses one after another.
    func connect(_ request: ClientHandshake.Request, _ peer: MCPeerID?, _ addresses: [PeerAddress]) {
        guard let address = addresses.first else { return }
        let rest = Array(addresses.dropFirst())
        let wire = endpoint.network.wire(
            host: address.host, port: address.port, loop: endpoint.loop, settings: endpoint.settings(encryption))
        let ownKey = endpoint.state.withLock { $0.settings.keys.key }
        let handshake = ClientHandshake(
            request, wire: wire, ownKey: ownKey, loop: endpoint.loop, limits: endpoint.limits,
            openLimit: rest.isEmpty ? nil : Self.patience,
            trust: { [weak self] in self?.meet($0, attempt: request.link, $1) },
            completion: { [weak self] result in
                if case .failure(let failure) = result, failure.code == .unreachable || failure.code == .system,
                    !rest.isEmpty
                {
                    self?.connect(request, peer, rest)
                } else {
                    self?.finish(request, peer, address, result)
                }
            })
        // The handshake is held until it is done.
        hold(handshake, request.link, peer)
    }

    private func hold(_ handshake: ClientHandshake, _ attempt: UUID, _ peer: MCPeerID?) {
        let isWanted = state.withLock { state in
            state.handshakes[attempt] = handshake
            guard let peer else { return state.completions[attempt] != nil }
            guard state.members[peer.identifier]?.attempt == attempt else { return false }
            state.members[peer.identifier]?.handshake = handshake
            return true
        }
        if !isWanted { handshake.cancel() }
    }

    /// The other side has introduced itself: decides whether its key is trusted.
    private func meet(
        _ arrived: ArrivedPeer, attempt: UUID, _ answer: @escaping @Sendable (PeerFailure?) -> Void
    ) {
        do {
            let peer = try MCPeerID(
                displayName: arrived.introduction.name, identifier: arrived.introduction.identifier)
            let isNew = try state.withLock { state in
                guard state.members[peer.identifier]?.attempt != attempt else { return false }
                try begin(&state, peer, attempt)
                state.members[peer.identifier]?.handshake = state.handshakes[attempt]
                return true
            }
            if isNew { report(peer, .connecting) }
            decide(arrived, peer, answer)
        } catch {
            answer(error as? PeerFailure ?? PeerFailure(.invalid, "\(error)"))
        }
    }

    private func finish(
        _ request: ClientHandshake.Request, _ peer: MCPeerID?, _ address: PeerAddress,
        _ result: Result<HandshakeResult, PeerFailure>
    ) {
        state.withLock { _ = $0.handshakes.removeValue(forKey: request.link) }
        switch result {
        case .success(let result):
            let host = PeerAddress(host: result.peer.host.isEmpty ? address.host : result.peer.host, port: address.port)
            connected(result, isConnecting: true, address: host)
        case .failure(let failure): failed(attempt: request.link, failure)
        }
    }

    /// An attempt has failed.
    func failed(attempt: UUID, _ failure: PeerFailure) {
        let (peer, completion) = state.withLock { state in
            let entry = state.members.first { $0.value.attempt == attempt && $0.value.state == .connecting }
            if let entry {
                state.members[entry.key]?.state = .notConnected
                state.members[entry.key]?.attempt = nil
                state.members[entry.key]?.handshake = nil
                state.members[entry.key]?.failure = failure
            }
            return (entry?.value.peer, state.completions.removeValue(forKey: attempt))
        }
        if let peer { report(peer, .notConnected, failure) }
        completion?(.failure(MCError(failure)))
    }

    /// Reports that a peer cannot be connected with what is known of it.
    func reject(_ peer: MCPeerID, _ error: MCError) {
        refuse(peer, PeerFailure(.invalid, error.reason, hint: error.hint))
    }

    /// Withdraws from a peer that is connecting.
    func cancel(_ peer: MCPeerID) {
        let handshake = state.withLock { $0.members[peer.identifier]?.handshake }
        handshake?.cancel()
    }
}
