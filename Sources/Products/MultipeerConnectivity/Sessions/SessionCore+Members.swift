import Foundation
import LockKit
import PeerKit

extension SessionCore {
    /// Seconds after which the peer with the higher identifier connects, if the other one has not.
    private static let secondTurn = 1.0
    private static let triesLimit = 8
    private static let memberLimit = 1_024

    /// A handshake has succeeded.
    func connected(_ result: HandshakeResult, isConnecting: Bool, address: PeerAddress) {
        let identifier = result.peer.introduction.identifier
        let isWanted = state.withLock { $0.members[identifier]?.attempt == result.peer.link }
        guard isWanted, let peer = state.withLock({ $0.members[identifier]?.peer }) else { return result.wire.close() }
        let link = SessionLink(self, peer, result, isConnecting: isConnecting, address: address)
        let completion = state.withLock { state -> (@Sendable (Result<MCPeerID, MCError>) -> Void)? in
            var member = state.members[identifier] ?? Member(peer)
            (member.state, member.link, member.handshake, member.failure) = (.connected, link, nil, nil)
            (member.key, member.session, member.tries) = (result.peer.key, result.peer.session, 0)
            member.address = PeerAddress(host: address.host, port: result.peer.introduction.port)
            member.token = nil
            state.members[identifier] = member
            return state.completions.removeValue(forKey: result.peer.link)
        }
        endpoint.register(link)
        report(peer, .connected)
        link.connection.attach(result.wire, received: result.received, bytes: result.bytes)
        introduce(peer, link)
        completion?(.success(peer))
    }

    /// Names the members to a new one, and the new one to the others.
    private func introduce(_ peer: MCPeerID, _ link: SessionLink) {
        let members = state.withLock { Array($0.members.values) }
        let others = members.filter { $0.peer != peer }
        let shown = others.compactMap(\.shown)
        // A frame has room for about 50.
        for start in stride(from: 0, to: shown.count, by: 32) {
            let part = Array(shown[start..<min(start + 32, shown.count)])
            try? link.connection.sendControl(SessionControl.members(part).data)
        }
        guard let own = members.first(where: { $0.peer == peer })?.shown else { return }
        for other in others where other.state == .connected {
            try? other.link?.connection.sendControl(SessionControl.members([own]).data)
        }
    }

    /// A member has named others.
    func learn(_ members: [MemberAddress]) {
        for named in members.prefix(64) where named.isValid && named.identifier != endpoint.peer.identifier {
            let isNew = state.withLock { state in
                guard state.members.count < Self.memberLimit || state.members[named.identifier] != nil,
                    let peer = try? MCPeerID(displayName: named.name, identifier: named.identifier)
                else { return false }
                var member = state.members[named.identifier] ?? Member(peer)
                let key = named.key.flatMap { PeerKey($0) }
                // Who is known already keeps its key, whatever others say.
                guard member.key == nil || member.key == key else { return false }
                guard member.state == .notConnected else {
                    // A peer that has begun again, which is not noticed here yet.
                    if key != nil { state.members[named.identifier]?.session = named.session }
                    return false
                }
                guard member.session != named.session || member.tries == 0 else { return false }
                (member.key, member.session, member.tries) = (key, named.session, 1)
                member.address = PeerAddress(host: named.host, port: named.port)
                state.members[named.identifier] = member
                return true
            }
            guard isNew else { continue }
            let isFirst = endpoint.peer.identifier < named.identifier
            if isFirst { join(named.identifier) } else { joinLater(named.identifier, Self.secondTurn) }
        }
        admitStrangers()
    }

    private func joinLater(_ identifier: String, _ seconds: Double) {
        endpoint.loop.perform(after: seconds) { [weak self] in self?.join(identifier) }
    }

    /// Connects to a member that others have named.
    private func join(_ identifier: String) {
        let attempt = UUID()
        let member: Member? = state.withLock { state in
            guard let member = state.members[identifier], member.state == .notConnected, member.address != nil,
                member.session != nil, (try? begin(&state, member.peer, attempt)) != nil
            else { return nil }
            return member
        }
        guard let member, let address = member.address else { return }
        state.withLock { state in
            state.completions[attempt] = { [weak self] result in
                if case .failure = result { self?.retry(identifier) }
            }
        }
        report(member.peer, .connecting)
        var request = ClientHandshake.Request(
            introduction: endpoint.introduction, purpose: .join, session: self.identifier, link: attempt,
            timeout: endpoint.limits.handshakeSeconds)
        request.target = member.session
        request.expectedIdentifier = identifier
        request.expectedKey = member.key
        request.context = member.token
        connect(request, member.peer, [address])
    }

    private func retry(_ identifier: String) {
        let seconds = state.withLock { state -> Double? in
            guard let tries = state.members[identifier]?.tries, tries < Self.triesLimit else { return nil }
            state.members[identifier]?.tries = tries + 1
            return 0.25 * Double(tries)
        }
        if let seconds { joinLater(identifier, seconds) }
    }

    /// A connection has ended.
    func lost(_ link: SessionLink, _ failure: PeerFailure) {
        let (isPresent, hasNew) = state.withLock { state -> (Bool, Bool) in
            guard state.members[link.peer.identifier]?.link === link else { return (false, false) }
            let hasNew = state.members[link.peer.identifier]?.session != link.session
            state.members[link.peer.identifier]?.state = .notConnected
            state.members[link.peer.identifier]?.link = nil
            state.members[link.peer.identifier]?.attempt = nil
            state.members[link.peer.identifier]?.failure = failure
            // A peer that was lost and is named again has begun again.
            state.members[link.peer.identifier]?.tries = hasNew ? 1 : 0
            if !hasNew { state.members[link.peer.identifier]?.session = nil }
            return (true, hasNew)
        }
        if isPresent { report(link.peer, .notConnected, failure) }
        if hasNew { joinLater(link.peer.identifier, 0) }
    }

    /// Expects a peer that will connect with data that it was handed.
    func expect(_ peer: MCPeerID, token: Data) {
        state.withLock { state in
            var member = state.members[peer.identifier] ?? Member(peer)
            member.token = token
            state.members[peer.identifier] = member
        }
    }

    /// Connects to a peer that has handed out where it is.
    func connect(_ peer: MCPeerID, _ data: NearbyConnectionData) throws {
        state.withLock { state in
            var member = state.members[peer.identifier] ?? Member(peer)
            (member.session, member.key, member.tries) = (data.session, PeerKey(data.key), 1)
            state.members[peer.identifier] = member
        }
        let attempt = UUID()
        try MCError.translated { try state.withLock { try begin(&$0, peer, attempt) } }
        report(peer, .connecting)
        _ = try? endpoint.listen()
        var request = ClientHandshake.Request(
            introduction: endpoint.introduction, purpose: .join, session: identifier, link: attempt,
            timeout: endpoint.limits.handshakeSeconds)
        request.target = data.session
        request.expectedIdentifier = peer.identifier
        request.expectedKey = PeerKey(data.key)
        request.context = data.token
        connect(request, peer, data.addresses)
    }
}
