import Foundation
import LockKit

/// The connecting side's part of how two peers become acquainted.
///
/// | phase | what is awaited | next |
/// |---|---|---|
/// | opening | the wire, with the keys of both sides | greeting |
/// | greeting | the other side's introduction and number | deciding; done when a connection comes back |
/// | deciding | the other side's decision, and whether its key is trusted here | done |
/// | done | nothing | |
package final class ClientHandshake: Sendable {
    /// What is wanted.
    package struct Request: Sendable {
        package var introduction: Introduction
        package var purpose: Purpose
        package var session: UUID
        /// The session of the other side, where that is known.
        package var target: UUID?
        package var link: UUID
        /// The peer that must answer; nil if any may.
        package var expectedIdentifier: String?
        /// The key that the peer must have; nil if that is decided by `trust`.
        package var expectedKey: PeerKey?
        package var received: UInt64 = 0
        package var context: Data?
        package var timeout: Double

        package init(
            introduction: Introduction, purpose: Purpose, session: UUID, link: UUID, timeout: Double
        ) {
            (self.introduction, self.purpose, self.session) = (introduction, purpose, session)
            (self.link, self.timeout) = (link, timeout)
        }
    }

    private enum Phase { case opening, greeting, deciding, done }

    private struct State {
        var phase = Phase.opening
        var peer: ArrivedPeer?
        var isTrusted = false
        var isAccepted = false
    }

    private let request: Request
    private let channel: HandshakeChannel
    private let nonce = PairingCode.nonce()
    private let ownKey: PeerKey
    private let state = Locked(State())
    private let trust: @Sendable (ArrivedPeer, @escaping @Sendable (PeerFailure?) -> Void) -> Void
    private let completion: @Sendable (Result<HandshakeResult, PeerFailure>) -> Void
    private let loop: EventLoop

    /// Starts the handshake. The object must be held until it is done.
    ///
    /// - Parameters:
    ///   - openLimit: Seconds after which a wire that is not open counts as unreachable.
    ///   - trust: Decides whether the key of the other side is trusted; answers nil if it is.
    ///   - completion: Called once, on the loop's thread.
    package init(
        _ request: Request, wire: any Wire, ownKey: PeerKey, loop: EventLoop, limits: TransportLimits,
        openLimit: Double? = nil,
        trust: @escaping @Sendable (ArrivedPeer, @escaping @Sendable (PeerFailure?) -> Void) -> Void,
        completion: @escaping @Sendable (Result<HandshakeResult, PeerFailure>) -> Void
    ) {
        (self.request, self.ownKey, self.loop) = (request, ownKey, loop)
        (self.trust, self.completion) = (trust, completion)
        channel = HandshakeChannel(wire)
        let limit = request.purpose == .invite ? request.timeout : limits.handshakeSeconds
        loop.perform(after: limit) { [weak self] in
            let isInvited = self?.state.withLock { $0.phase == .deciding } ?? false
            self?.finish(
                .failure(
                    PeerFailure(
                        .timedOut,
                        isInvited
                            ? "no answer came within \(limit) seconds"
                            : "no connection was made within \(limit) seconds",
                        hint: "check that the other side runs and listens")))
        }
        if let openLimit {
            loop.perform(after: openLimit) { [weak self] in
                guard let self, state.withLock({ $0.phase == .opening }) else { return }
                finish(
                    .failure(PeerFailure(.unreachable, "\(wire.remoteHost) did not answer within \(openLimit) seconds"))
                )
            }
        }
        wire.start { [weak self] in self?.handle($0) }
    }

    /// Withdraws.
    package func cancel() {
        loop.perform { [weak self] in self?.finish(.failure(PeerFailure(.cancelled, "the invitation was withdrawn"))) }
    }

    private func handle(_ event: WireEvent) {
        do {
            switch event {
            case .failed(let failure): throw failure
            case .opened:
                try greet()
                // The library may have read ahead of what it was asked for.
                try advance()
            case .ready(let readiness):
                if readiness.contains(.writable) { try channel.flush() }
                try advance()
            }
        } catch {
            finish(.failure(error as? PeerFailure ?? PeerFailure(.invalid, "\(error)")))
        }
    }

    private func greet() throws {
        if let expected = request.expectedKey, channel.wire.peerKey != expected {
            throw PeerFailure(
                .identity, "the other side has another key than before",
                hint: "compare the codes and pair the two again, if you know why")
        }
        state.withLock { $0.phase = .greeting }
        let isBack = request.purpose == .resume
        try channel.send(
            ClientHello(
                purpose: request.purpose.word, introduction: request.introduction, session: request.session,
                target: request.target, link: request.link,
                commitment: isBack ? nil : Data(PairingCode.commitment(nonce: nonce, key: ownKey)),
                received: isBack ? request.received : nil))
    }

    private func advance() throws {
        try channel.fill()
        while try proceed() {}
        if state.withLock({ $0.phase != .done }) { try channel.checkEnding() }
    }

    /// Takes the next value; false if none has come, or none is awaited.
    private func proceed() throws -> Bool {
        switch state.withLock({ $0.phase }) {
        case .opening, .done: return false
        case .greeting:
            guard let hello = try channel.next(ServerHello.self) else { return false }
            if let refusal = hello.refusal { throw refusal.failure }
            request.purpose == .resume ? try resume(hello) : try reveal(hello)
        case .deciding:
            // The decision is one value; what follows belongs to the connection.
            guard !state.withLock({ $0.isAccepted }), let decision = try channel.next(Decision.self) else {
                return false
            }
            if let refusal = decision.refusal { throw refusal.failure }
            state.withLock { state in
                state.isAccepted = true
                if let session = decision.session { state.peer?.session = session }
            }
            try confirm()
        }
        return true
    }

    private func resume(_ hello: ServerHello) throws {
        guard let received = hello.received else {
            throw PeerFailure(.invalid, "the other side does not say what it has")
        }
        let peer = ArrivedPeer(
            introduction: request.introduction, key: channel.wire.peerKey, certificate: nil,
            host: channel.wire.remoteHost,
            purpose: .resume, session: request.session, link: request.link)
        succeed(peer, received: received)
    }

    private func reveal(_ hello: ServerHello) throws {
        guard let introduction = hello.introduction, let number = hello.nonce, number.count == PairingCode.nonceBytes
        else { throw PeerFailure(.invalid, "the other side does not introduce itself") }
        try introduction.check()
        if let expected = request.expectedIdentifier, introduction.identifier != expected {
            throw PeerFailure(
                .identity, "another peer answers, by the name \(introduction.name)",
                hint: "look for the peer again, or invite without naming a peer")
        }
        var peer = ArrivedPeer(
            introduction: introduction, key: channel.wire.peerKey, certificate: channel.wire.peerCertificate,
            host: channel.wire.remoteHost, purpose: request.purpose, session: request.session, link: request.link)
        peer.code = PairingCode.code(
            connecting: peer.key == nil ? nil : ownKey, nonce: nonce, listening: peer.key, nonce: Array(number))
        state.withLock { state in
            state.peer = peer
            state.phase = .deciding
        }
        try channel.send(ClientReveal(nonce: Data(nonce), context: request.context, timeout: request.timeout))
        trust(peer) { [weak self] failure in
            guard let self else { return }
            loop.perform { self.decided(failure) }
        }
    }

    private func decided(_ failure: PeerFailure?) {
        do {
            if let failure {
                try? channel.send(Decision(refusal: Refusal(failure)))
                throw failure
            }
            state.withLock { $0.isTrusted = true }
            try confirm()
        } catch {
            finish(.failure(error as? PeerFailure ?? PeerFailure(.invalid, "\(error)")))
        }
    }

    /// Both sides agree: says so, and hands the wire on.
    private func confirm() throws {
        let (peer, isReady) = state.withLock { ($0.peer, $0.isTrusted && $0.isAccepted && $0.phase == .deciding) }
        guard isReady, let peer else { return }
        try channel.send(Decision())
        succeed(peer, received: 0)
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
        completion(result)
    }
}
