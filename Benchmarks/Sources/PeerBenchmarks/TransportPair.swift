import Foundation
import LockKit
import PeerKit

/// Two ends of a connection without sessions, each on a loop of its own.
final class TransportPair: @unchecked Sendable {
    private let loops: (EventLoop, EventLoop)
    private let settings: (WireSettings, WireSettings)
    private let echo: @Sendable (PeerConnection, Data) -> Void
    private let received: @Sendable (PeerConnection, Data) -> Void
    private let arriving = Locked<[ServerHandshake]>([])
    private let arrived = Locked<[PeerConnection]>([])
    private var listener: (any WireListener)?
    private(set) var one: PeerConnection

    init(
        echo: @escaping @Sendable (PeerConnection, Data) -> Void,
        received: @escaping @Sendable (PeerConnection, Data) -> Void
    ) throws {
        loops = (try EventLoop(), try EventLoop())
        settings = (try WireSettings(keys: KeyPair()), try WireSettings(keys: KeyPair()))
        (self.echo, self.received) = (echo, received)
        one = PeerConnection(
            identifier: UUID(), peerKey: nil, isConnecting: true, limits: TransportLimits(), loop: loops.0
        ) { _ in }
        let theirs = settings.1
        listener = try SocketNetwork().listen(
            on: 0, loop: loops.1, settings: { theirs }, accept: { [weak self] in self?.accept($0) })
        one = try another().0
    }

    deinit {
        loops.0.stop()
        loops.1.stop()
    }

    private static func introduction(_ name: String, _ digit: Character) -> Introduction {
        Introduction(
            name: name, identifier: String(repeating: digit, count: 32), port: 0, isDebugged: false,
            messageBytes: 1 << 24)
    }

    private func connection(
        _ result: HandshakeResult, _ loop: EventLoop, isConnecting: Bool,
        _ body: @escaping @Sendable (PeerConnection, Data) -> Void
    ) -> PeerConnection {
        let own = Locked<PeerConnection?>(nil)
        let made = PeerConnection(
            identifier: result.peer.link, peerKey: result.peer.key, isConnecting: isConnecting,
            limits: TransportLimits(), loop: loop
        ) { event in
            guard case .message(let data, let cost, let isReliable) = event, let connection = own.withLock({ $0 })
            else {
                return
            }
            body(connection, data)
            connection.consumed(cost, isReliable: isReliable)
        }
        own.withLock { $0 = made }
        made.attach(result.wire, received: 0, bytes: result.bytes)
        return made
    }

    private func accept(_ wire: any Wire) {
        let owner = ServerHandshake.Owner(
            resume: { _ in throw PeerFailure(.unknown, "nothing comes back here") },
            arrived: { handshake, _ in handshake.accept(for: UUID()) },
            completion: { [weak self] _, result in
                guard let self, case .success(let result) = result else { return }
                let made = connection(result, loops.1, isConnecting: false, echo)
                arrived.withLock { $0.append(made) }
            })
        let handshake = ServerHandshake(
            Self.introduction("other", "b"), wire: wire, ownKey: settings.1.keys.key, loop: loops.1,
            limits: TransportLimits(), owner: owner)
        arriving.withLock { $0.append(handshake) }
    }

    /// Makes one more connection, and returns its ends.
    func another() throws -> (PeerConnection, PeerConnection) {
        let count = arrived.withLock { $0.count }
        let done = DispatchSemaphore(value: 0)
        let wire = SocketNetwork().wire(
            host: "127.0.0.1", port: listener?.port ?? 0, loop: loops.0, settings: settings.0)
        let request = ClientHandshake.Request(
            introduction: Self.introduction("one", "a"), purpose: .invite, session: UUID(), link: UUID(), timeout: 10)
        let made = Locked<PeerConnection?>(nil)
        let handshake = ClientHandshake(
            request, wire: wire, ownKey: settings.0.keys.key, loop: loops.0, limits: TransportLimits(),
            trust: { $1(nil) },
            completion: { [weak self] outcome in
                if let self, case .success(let value) = outcome {
                    made.withLock { $0 = self.connection(value, self.loops.0, isConnecting: true, self.received) }
                }
                done.signal()
            })
        done.wait()
        withExtendedLifetime(handshake) {}
        while arrived.withLock({ $0.count }) == count { usleep(100) }
        guard let own = made.withLock({ $0 }), let other = arrived.withLock({ $0.last }) else {
            throw PeerFailure(.unreachable, "the two do not connect")
        }
        return (own, other)
    }
}
