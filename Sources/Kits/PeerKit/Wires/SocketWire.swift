import COpenSSL
import Foundation
import LockKit

/// A wire over a socket, encrypted by TLS 1.3 where both sides agree on that.
///
/// | phase | what happens | next |
/// |---|---|---|
/// | idle | nothing | resolving or greeting |
/// | resolving | the name of the host is looked up | connecting |
/// | connecting | one address is tried | greeting, or the next address |
/// | greeting | preambles are exchanged | handshaking or open |
/// | handshaking | TLS checks that both sides have their keys | open |
/// | open | bytes are moved | closed |
/// | closed | nothing | |
///
/// Invariants:
/// 1. The socket is open as long as `registration` or `descriptor` is set, and closed once.
/// 2. `connection` is used only while the lock is held.
final class SocketWire: Wire {
    enum Phase: Sendable { case idle, resolving, connecting, greeting, handshaking, open, closed }

    struct State: @unchecked Sendable {
        var phase = Phase.idle
        var descriptor: Int32 = -1
        var registration: EventLoop.Registration?
        var interest: Readiness = []
        var connection: OpaquePointer?
        var addresses: [[UInt8]] = []
        var lastError = "it has no address"
        var outgoing: [UInt8] = []
        var incoming: [UInt8] = []
        var refusal: PeerFailure?
        var peerKey: PeerKey?
        var peerCertificate: [UInt8]?
        var remoteHost = ""
        var handler: @Sendable (WireEvent) -> Void = { _ in }
    }

    let isServer: Bool
    let host: String
    let port: UInt16
    let loop: EventLoop
    let settings: WireSettings
    let state: Locked<State>

    /// A wire to an address.
    init(host: String, port: UInt16, loop: EventLoop, settings: WireSettings) {
        (isServer, self.host, self.port, self.loop, self.settings) = (false, host, port, loop, settings)
        var state = State()
        state.remoteHost = host
        self.state = Locked(state)
    }

    /// A wire that has arrived.
    init(accepted descriptor: Int32, from host: String, loop: EventLoop, settings: WireSettings) {
        (isServer, self.host, port, self.loop, self.settings) = (true, host, 0, loop, settings)
        var state = State()
        state.descriptor = descriptor
        state.remoteHost = host
        self.state = Locked(state)
        SocketOptions.apply(descriptor)
    }

    deinit { close() }

    var peerKey: PeerKey? { state.withLock { $0.peerKey } }
    var peerCertificate: [UInt8]? { state.withLock { $0.peerCertificate } }
    var remoteHost: String { state.withLock { $0.remoteHost } }

    var hasBufferedBytes: Bool {
        state.withLock { state in state.connection.map { SSL_has_pending($0) == 1 } ?? false }
    }

    func setHandler(_ handler: @escaping @Sendable (WireEvent) -> Void) { state.withLock { $0.handler = handler } }

    func setInterest(_ interest: Readiness) {
        state.withLock { state in
            guard state.phase == .open, state.interest != interest, let registration = state.registration else {
                return
            }
            state.interest = interest
            loop.modify(registration, interest)
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> WireStep {
        state.withLock { state in
            guard state.phase == .open, let start = buffer.baseAddress else { return .ended }
            if let connection = state.connection {
                return step(copenssl_tls_read(connection, start, buffer.count))
            }
            return plainStep(recv(state.descriptor, start, buffer.count, Int32(MSG_DONTWAIT)))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> WireStep {
        state.withLock { state in
            guard state.phase == .open, let start = bytes.baseAddress else { return .ended }
            if let connection = state.connection {
                return step(copenssl_tls_write(connection, start, bytes.count))
            }
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            return plainStep(send(state.descriptor, start, bytes.count, flags), isWriting: true)
        }
    }

    func close() {
        state.withLock { state in
            guard state.phase != .closed else { return }
            state.phase = .closed
            state.handler = { _ in }
            if let registration = state.registration { loop.remove(registration) }
            state.registration = nil
            if let connection = state.connection {
                copenssl_tls_end(connection)
                SSL_free(connection)
            }
            state.connection = nil
            if state.descriptor >= 0 { systemClose(state.descriptor) }
            state.descriptor = -1
        }
    }

    private func step(_ result: Int) -> WireStep {
        switch result {
        case 1...: .bytes(result)
        case Int(COPENSSL_WANTS_READ.rawValue), Int(COPENSSL_WANTS_WRITE.rawValue): .blocked
        case Int(COPENSSL_ENDED.rawValue): .ended
        default: .failed(Self.libraryReason())
        }
    }

    private func plainStep(_ result: Int, isWriting: Bool = false) -> WireStep {
        if result > 0 { return .bytes(result) }
        if result == 0 { return isWriting ? .blocked : .ended }
        guard ![EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { return .blocked }
        return .failed(String(cString: strerror(errno)))
    }

    static func libraryReason() -> String {
        var text = [CChar](repeating: 0, count: 200)
        copenssl_tls_reason(&text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A function outside the type, in which `close` means the method.
func systemClose(_ descriptor: Int32) { close(descriptor) }
