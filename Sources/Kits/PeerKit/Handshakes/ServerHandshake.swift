import Foundation
import LockKit

/// The listening side's part of how two peers become acquainted.
///
/// | phase | what is awaited | next |
/// |---|---|---|
/// | opening | the wire, with the keys of both sides | greeting |
/// | greeting | the other side's introduction | revealing; done when a connection comes back |
/// | revealing | the number that it has committed itself to, and its invitation | deciding |
/// | deciding | the decision here | confirming |
/// | confirming | the other side's decision | done |
/// | done | nothing | |
package final class ServerHandshake: Sendable {
    /// What the owner decides.
    package struct Owner: Sendable {
        /// A connection comes back: the number up to which all its frames have been received here.
        package var resume: @Sendable (ArrivedPeer) throws -> UInt64
        /// A peer has come, and `accept(for:)` or `decline(_:)` is awaited.
        package var arrived: @Sendable (ServerHandshake, ArrivedPeer) -> Void
        /// Called once, on the loop's thread.
        package var completion: @Sendable (ServerHandshake, Result<HandshakeResult, PeerFailure>) -> Void

        package init(
            resume: @escaping @Sendable (ArrivedPeer) throws -> UInt64,
            arrived: @escaping @Sendable (ServerHandshake, ArrivedPeer) -> Void,
            completion: @escaping @Sendable (ServerHandshake, Result<HandshakeResult, PeerFailure>) -> Void
        ) {
            (self.resume, self.arrived, self.completion) = (resume, arrived, completion)
        }
    }

    private enum Phase { case opening, greeting, revealing, deciding, confirming, done }

    private struct State {
        var phase = Phase.opening
        var peer: ArrivedPeer?
        var commitment: [UInt8] = []
        /// Whether the time that the handshake has was replaced by that of the invitation.
        var isInvited = false
    }

    private let introduction: Introduction
    private let channel: HandshakeChannel
    private let nonce = PairingCode.nonce()
    private let ownKey: PeerKey
    private let owner: Owner
    private let loop: EventLoop
    private let state = Locked(State())
    /// Seconds for which an invitation waits at most, whatever the other side says.
    private static let longestWait = 600.0

    /// Starts the handshake. The object must be held until it is done.
    package init(
        _ introduction: Introduction, wire: any Wire, ownKey: PeerKey, loop: EventLoop, limits: TransportLimits,
        owner: Owner
    ) {
        (self.introduction, self.ownKey, self.loop, self.owner) = (introduction, ownKey, loop, owner)
        channel = HandshakeChannel(wire)
        loop.perform(after: limits.handshakeSeconds) { [weak self] in
            guard let self, !state.withLock({ $0.isInvited }) else { return }
            fail(PeerFailure(.timedOut, "the other side did not introduce itself in time"))
        }
        wire.start { [weak self] in self?.handle($0) }
    }

    /// The host from which the other side connects.
    package var remoteHost: String { channel.wire.remoteHost }

    /// Accepts for a session of this side.
    package func accept(for session: UUID) { loop.perform { [weak self] in self?.decide(session) } }

    /// Declines.
    package func decline(_ failure: PeerFailure) {
        loop.perform { [weak self] in
            guard let self, state.withLock({ $0.phase == .deciding }) else { return }
            fail(failure)
        }
    }

    private func handle(_ event: WireEvent) {
        do {
            switch event {
            case .failed(let failure): throw failure
            case .opened:
                state.withLock { $0.phase = .greeting }
                // The library may have read ahead of what it was asked for.
                try advance()
            case .ready(let readiness):
                if readiness.contains(.writable) { try channel.flush() }
                try advance()
            }
        } catch {
            let failure = error as? PeerFailure ?? PeerFailure(.invalid, "\(error)")
            // Who withdraws an invitation closes the connection.
            let isWithdrawn = failure.code == .lost && state.withLock { $0.phase == .deciding }
            fail(isWithdrawn ? PeerFailure(.cancelled, "the other side has withdrawn its invitation") : failure)
        }
    }

    private func advance() throws {
        try channel.fill()
        while try proceed() {}
        if state.withLock({ $0.phase != .done }) { try channel.checkEnding() }
    }

    private func proceed() throws -> Bool {
        switch state.withLock({ $0.phase }) {
        case .opening, .deciding, .done: return false
        case .greeting:
            guard let hello = try channel.next(ClientHello.self) else { return false }
            try greet(hello)
        case .revealing:
            guard let reveal = try channel.next(ClientReveal.self) else { return false }
            try take(reveal)
        case .confirming:
            guard let decision = try channel.next(Decision.self) else { return false }
            if let refusal = decision.refusal { throw refusal.failure }
            guard let peer = state.withLock({ $0.peer }) else { return false }
            succeed(peer, received: 0)
        }
        return true
    }

    private func greet(_ hello: ClientHello) throws {
        try hello.introduction.check()
        let peer = ArrivedPeer(
            introduction: hello.introduction, key: channel.wire.peerKey, certificate: channel.wire.peerCertificate,
            host: channel.wire.remoteHost, purpose: try Purpose(word: hello.purpose), session: hello.session,
            target: hello.target, link: hello.link)
        guard peer.purpose != .resume else {
            guard let received = hello.received else {
                throw PeerFailure(.invalid, "the other side does not say what it has")
            }
            let own = try owner.resume(peer)
            try channel.send(ServerHello(received: own))
            return succeed(peer, received: received)
        }
        guard let commitment = hello.commitment, commitment.count == 32 else {
            throw PeerFailure(.invalid, "the other side does not commit itself to a number")
        }
        state.withLock { state in
            (state.peer, state.commitment, state.phase) = (peer, Array(commitment), .revealing)
        }
        try channel.send(ServerHello(introduction: introduction, nonce: Data(nonce)))
    }

    private func take(_ reveal: ClientReveal) throws {
        guard var peer = state.withLock({ $0.peer }) else { return }
        let number = Array(reveal.nonce)
        let commitment = state.withLock { $0.commitment }
        guard number.count == PairingCode.nonceBytes,
            PairingCode.commitment(nonce: number, key: peer.key) == commitment
                || peer.key == nil
        else { throw PeerFailure(.identity, "the other side reveals another number than it has committed itself to") }
        peer.code = PairingCode.code(
            connecting: peer.key, nonce: number, listening: peer.key == nil ? nil : ownKey, nonce: nonce)
        peer.context = reveal.context
        peer.timeout = reveal.timeout.isFinite ? min(max(reveal.timeout, 1), Self.longestWait) : Self.longestWait
        state.withLock { state in
            (state.peer, state.phase, state.isInvited) = (peer, .deciding, true)
        }
        loop.perform(after: peer.timeout + 1) { [weak self] in
            self?.fail(PeerFailure(.timedOut, "the invitation was not answered in time"))
        }
        owner.arrived(self, peer)
    }

    private func decide(_ session: UUID) {
        guard state.withLock({ $0.phase == .deciding }) else { return }
        do {
            state.withLock { $0.phase = .confirming }
            try channel.send(Decision(session: session))
            try advance()
        } catch {
            fail(error as? PeerFailure ?? PeerFailure(.invalid, "\(error)"))
        }
    }

    /// Says why, as far as the phase has a place for that, and ends.
    private func fail(_ failure: PeerFailure) {
        switch state.withLock({ $0.phase }) {
        case .greeting: try? channel.send(ServerHello(refusal: Refusal(failure)))
        case .revealing, .deciding, .confirming: try? channel.send(Decision(refusal: Refusal(failure)))
        case .opening, .done: break
        }
        finish(.failure(failure))
    }

    private func succeed(_ peer: ArrivedPeer, received: UInt64) {
        finish(
            .success(
                HandshakeResult(
                    peer: peer, wire: channel.wire, bytes: channel.takeRest(), received: received)))
    }

    private func finish(_ result: Result<HandshakeResult, PeerFailure>) {
        let isFirst = state.withLock { state in
            defer { state.phase = .done }
            return state.phase != .done
        }
        guard isFirst else { return }
        if case .failure = result { channel.wire.close() }
        owner.completion(self, result)
    }
}
