import Foundation
import LockKit
import PeerKit

/// What a session has with one connected peer: the connection, how it comes back, and what is sent over it.
final class SessionLink: Sendable {
    struct State {
        /// What sends bytes on channels of this side.
        var senders: [UInt32: any ChannelSender] = [:]
        /// Resources that wait for the other side to have received them.
        var awaiting: [UInt32: @Sendable (MCError?) -> Void] = [:]
        var resumption: ClientHandshake?
        var attempts = 0
    }

    let peer: MCPeerID
    let address: PeerAddress
    /// The session at the other side.
    let session: UUID
    let connection: PeerConnection
    private let core: Weak<SessionCore>
    private let endpoint: PeerEndpoint
    private let state = Locked(State())
    private let handlers: Handlers

    /// What the connection calls; it keeps the link only as long as the session does.
    private final class Handlers: Sendable {
        let link = Locked(WeakStorage<SessionLink>())
    }

    init(
        _ core: SessionCore, _ peer: MCPeerID, _ result: HandshakeResult, isConnecting: Bool, address: PeerAddress
    ) {
        let handlers = Handlers()
        (self.core, endpoint, self.peer) = (Weak(core), core.endpoint, peer)
        (self.address, self.handlers, session) = (address, handlers, result.peer.session)
        var limits = core.endpoint.limits
        if result.peer.introduction.isDebugged { limits = limits.stretched(by: DebuggerCheck.factor) }
        limits.messageBytes = min(limits.messageBytes, result.peer.introduction.messageBytes)
        connection = PeerConnection(
            identifier: result.peer.link, peerKey: result.peer.key, isConnecting: isConnecting, limits: limits,
            loop: core.endpoint.loop
        ) { event in handlers.link.withLock { $0.object }?.handle(event) }
        handlers.link.withLock { $0.object = self }
    }

    func close(_ failure: PeerFailure) { connection.close(failure) }

    // MARK: Events, on the loop's thread

    private func handle(_ event: ConnectionEvent) {
        switch event {
        case .message(let data, let cost, let isReliable):
            let receipt = MessageReceipt { [weak connection] in connection?.consumed(cost, isReliable: isReliable) }
            let message = ReceivedMessage(
                peer: peer, data: data, mode: isReliable ? .reliable : .unreliable, receipt: receipt)
            core.object?.report(.message(message)) { [peer] in $0.session($1, didReceive: data, fromPeer: peer) }
        case .control(let data): take(data)
        case .opened(let channel): open(channel)
        case .reset(let number, let reason): end(number, MCError(.cancelled, reason))
        case .drained(let number): state.withLock { $0.senders[number] }?.drained()
        case .interrupted(let failure):
            core.object?.report(.interrupted(peer, MCError(failure))) { _, _ in }
            state.withLock { $0.attempts = 0 }
            if connection.isConnecting { resume() }
        case .resumed: core.object?.report(.resumed(peer)) { _, _ in }
        case .closed(let failure): closed(failure)
        }
    }

    private func take(_ data: Data) {
        guard let control = try? JSONDecoder().decode(SessionControl.self, from: data) else { return }
        switch control.kind {
        case "members": core.object?.learn(control.members ?? [])
        case "received":
            guard let channel = control.channel else { return }
            end(channel, control.failure.map { MCError(.cancelled, PeerFailure(received: nil, $0).reason) })
        default: break
        }
    }

    private func open(_ channel: IncomingChannel) {
        guard let core = core.object,
            let description = try? JSONDecoder().decode(ChannelDescription.self, from: channel.description)
        else { return channel.cancel("the description of the channel cannot be read") }
        switch description.kind {
        case "stream": StreamReceiver.receive(channel, description, peer, core)
        case "resource":
            ResourceReceiver.receive(channel, description, peer, core) { [weak connection] failure in
                try? connection?.sendControl(SessionControl.received(channel.number, failure: failure).data)
            }
        default: channel.cancel("the kind of the channel is not known")
        }
    }

    private func closed(_ failure: PeerFailure) {
        let (senders, awaiting) = state.withLock { state in
            defer { (state.senders, state.awaiting) = ([:], [:]) }
            return (state.senders.values, state.awaiting.values)
        }
        let error = MCError(failure)
        for sender in senders { sender.ended(error) }
        for completion in awaiting { completion(error) }
        core.object?.lost(self, failure)
    }

    // MARK: Sending on channels

    /// Opens a channel for a sender.
    func open(_ description: ChannelDescription, _ make: (UInt32) -> any ChannelSender) throws -> UInt32 {
        let bytes = try JSONEncoder().encode(description)
        let number = try MCError.translated { try connection.openChannel(bytes) }
        let sender = make(number)
        state.withLock { $0.senders[number] = sender }
        return number
    }

    /// Calls a block when the other side has received a resource.
    func await(_ number: UInt32, _ completion: @escaping @Sendable (MCError?) -> Void) {
        state.withLock { $0.awaiting[number] = completion }
    }

    /// Forgets a sender that has sent everything.
    func forget(_ number: UInt32) { state.withLock { _ = $0.senders.removeValue(forKey: number) } }

    /// Ends a resource of this side.
    func finish(_ number: UInt32, _ error: MCError) { end(number, error) }

    private func end(_ number: UInt32, _ error: MCError?) {
        let (sender, completion) = state.withLock { state in
            (state.senders.removeValue(forKey: number), state.awaiting.removeValue(forKey: number))
        }
        if let error { sender?.ended(error) }
        completion?(error)
    }

    // MARK: Coming back

    /// Connects again, until that succeeds or the connection's time is over.
    private func resume() {
        guard connection.isInterrupted else { return }
        var request = ClientHandshake.Request(
            introduction: endpoint.introduction, purpose: .resume, session: session, link: connection.identifier,
            timeout: connection.limits.handshakeSeconds)
        request.expectedKey = connection.peerKey
        request.received = connection.receivedNumber
        let wire = endpoint.network.wire(
            host: address.host, port: address.port, loop: endpoint.loop,
            settings: endpoint.settings(connection.peerKey == nil ? .optional : .required))
        let ownKey = endpoint.state.withLock { $0.settings.keys.key }
        let handshake = ClientHandshake(
            request, wire: wire, ownKey: ownKey, loop: endpoint.loop, limits: endpoint.limits,
            openLimit: 2, trust: { $1(nil) }, completion: { [weak self] in self?.resumed($0) })
        state.withLock { $0.resumption = handshake }
    }

    private func resumed(_ result: Result<HandshakeResult, PeerFailure>) {
        state.withLock { $0.resumption = nil }
        switch result {
        case .success(let result):
            connection.attach(result.wire, received: result.received, bytes: result.bytes)
        case .failure(let failure):
            switch failure.code {
            case .unknown, .identity, .version, .encryption:
                // The other side has begun again, or is another one: it will not come back.
                connection.close(PeerFailure(.lost, failure.reason, hint: failure.hint))
            default:
                let attempts = state.withLock { state in
                    state.attempts += 1
                    return state.attempts
                }
                let rest = min(1, 0.02 * Double(1 << min(attempts, 6)))
                endpoint.loop.perform(after: rest) { [weak self] in self?.resume() }
            }
        }
    }
}
