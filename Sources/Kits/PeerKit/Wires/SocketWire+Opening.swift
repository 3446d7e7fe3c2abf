import COpenSSL
import Foundation
import LockKit

extension SocketWire {
    private enum Outcome {
        case waiting(Readiness)
        case opened
        case failed(PeerFailure)
    }

    func start(_ handler: @escaping @Sendable (WireEvent) -> Void) {
        let isNumeric = state.withLock { state in
            state.handler = handler
            guard !isServer else { return true }
            state.phase = .resolving
            state.addresses = (try? SocketAddresses(host: host, port: port, numeric: true).all) ?? []
            return !state.addresses.isEmpty
        }
        guard !isNumeric else {
            loop.perform { [weak self] in self?.begin() }
            return
        }
        // Looking up a name blocks its thread.
        DispatchQueue.global().async { [weak self, host, port] in
            let result = Result { try SocketAddresses(host: host, port: port) }
            self?.resolved(result)
        }
    }

    private func resolved(_ result: Result<SocketAddresses, any Error>) {
        loop.perform { [weak self] in
            switch result {
            case .success(let addresses):
                self?.state.withLock { $0.addresses = addresses.all }
                self?.begin()
            case .failure(let error):
                self?.report(.failed(error as? PeerFailure ?? PeerFailure(.unreachable, "\(error)")))
            }
        }
    }

    private func begin() {
        if isServer {
            let outcome: Outcome = state.withLock { state in
                guard state.phase == .idle else { return .waiting([]) }
                state.phase = .greeting
                return watch(&state, .readable) ?? .waiting(.readable)
            }
            if case .failed(let failure) = outcome { report(.failed(failure)) }
        } else if let failure = state.withLock({ connectNext(&$0) }) {
            report(.failed(failure))
        }
    }

    /// Begins to connect to the next address; returns the failure if none is left.
    private func connectNext(_ state: inout State) -> PeerFailure? {
        guard state.phase == .resolving || state.phase == .connecting else { return nil }
        while !state.addresses.isEmpty {
            let address = state.addresses.removeFirst()
            let descriptor = address.withUnsafeBytes { bytes -> Int32 in
                guard let plain = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
                let made = socket(Int32(plain.pointee.sa_family), Int32(SOCK_STREAM.rawValue), 0)
                guard made >= 0 else { return -1 }
                SocketOptions.apply(made)
                if connect(made, plain, socklen_t(bytes.count)) == 0 || errno == EINPROGRESS { return made }
                let code = errno
                systemClose(made)
                errno = code
                return -1
            }
            guard descriptor >= 0 else {
                state.lastError = String(cString: strerror(errno))
                continue
            }
            state.descriptor = descriptor
            state.phase = .connecting
            if watch(&state, .writable) == nil { return nil }
            systemClose(descriptor)
            state.descriptor = -1
        }
        return PeerFailure(
            .unreachable, "\(host) cannot be reached at port \(port): \(state.lastError)",
            hint: "check that the other side listens there and that no firewall stands between")
    }

    private func watch(_ state: inout State, _ interest: Readiness) -> Outcome? {
        state.interest = interest
        state.registration = loop.add(state.descriptor, interest) { [weak self] in self?.becameReady($0) }
        return state.registration == nil ? .failed(.system("a socket cannot be watched")) : nil
    }

    private func becameReady(_ readiness: Readiness) {
        let (phase, handler) = state.withLock { ($0.phase, $0.handler) }
        guard phase != .open else { return handler(.ready(readiness)) }
        let outcome = state.withLock { advance(&$0) }
        switch outcome {
        case .waiting(let interest):
            state.withLock { state in
                guard let registration = state.registration, state.interest != interest else { return }
                state.interest = interest
                loop.modify(registration, interest)
            }
        case .opened:
            setInterest(.readable)
            report(.opened)
        case .failed(let failure): report(.failed(failure))
        }
    }

    private func report(_ event: WireEvent) { state.withLock { $0.handler }(event) }

    private func advance(_ state: inout State) -> Outcome {
        switch state.phase {
        case .connecting: finishConnecting(&state)
        case .greeting: greet(&state)
        case .handshaking: shakeHands(&state)
        case .idle, .resolving, .open, .closed: .waiting(state.interest)
        }
    }

    private func finishConnecting(_ state: inout State) -> Outcome {
        let code = SocketOptions.error(state.descriptor)
        guard code == 0 else {
            state.lastError = String(cString: strerror(code))
            if let registration = state.registration { loop.remove(registration) }
            state.registration = nil
            systemClose(state.descriptor)
            state.descriptor = -1
            return connectNext(&state).map { .failed($0) } ?? .waiting(state.interest)
        }
        state.phase = .greeting
        state.outgoing = WirePreamble(encryption: settings.encryption.rawValue).bytes
        return greet(&state)
    }

    private func greet(_ state: inout State) -> Outcome {
        if let failure = sendOutgoing(&state) { return .failed(failure) }
        guard state.outgoing.isEmpty else { return .waiting(.writable) }
        if let refusal = state.refusal { return .failed(refusal) }
        guard state.incoming.count < WirePreamble.count else { return shakeHands(&state) }
        var bytes = [UInt8](repeating: 0, count: WirePreamble.count - state.incoming.count)
        let count = recv(state.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count == 0 { return .failed(PeerFailure(.lost, "the other side closed the connection at once")) }
        guard count > 0 else {
            return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
                ? .waiting(.readable) : .failed(.system("the connection failed"))
        }
        state.incoming += bytes.prefix(count)
        guard state.incoming.count == WirePreamble.count else { return .waiting(.readable) }
        do {
            return try agree(WirePreamble(state.incoming), &state)
        } catch {
            return .failed(error as? PeerFailure ?? PeerFailure(.invalid, "\(error)"))
        }
    }

    private func agree(_ preamble: WirePreamble, _ state: inout State) throws -> Outcome {
        let isEncrypted: Bool
        if isServer {
            let (answer, agreed) = preamble.answer(by: settings.encryption)
            state.outgoing = answer.bytes
            if agreed == nil {
                state.refusal =
                    answer.refusal == .version
                    ? PeerFailure(.version, "the other side speaks version \(preamble.version) of the protocol")
                    : PeerFailure(.encryption, "one side demands encryption, the other refuses it")
            }
            isEncrypted = agreed ?? false
            if let failure = sendOutgoing(&state) ?? state.refusal { return .failed(failure) }
        } else {
            isEncrypted = try preamble.agreement(for: settings.encryption)
        }
        guard isEncrypted else {
            state.phase = .open
            return .opened
        }
        state.phase = .handshaking
        state.connection = copenssl_tls_open(settings.tls.pointer, state.descriptor, isServer ? 1 : 0)
        guard state.connection != nil else { return .failed(PeerFailure(.system, "OpenSSL has no memory")) }
        return shakeHands(&state)
    }

    private func sendOutgoing(_ state: inout State) -> PeerFailure? {
        guard !state.outgoing.isEmpty else { return nil }
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let count = send(state.descriptor, state.outgoing, state.outgoing.count, flags)
        if count > 0 { state.outgoing.removeFirst(count) }
        guard count < 0, ![EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { return nil }
        return .system("the connection failed")
    }

    private func shakeHands(_ state: inout State) -> Outcome {
        guard let connection = state.connection else { return .failed(PeerFailure(.system, "OpenSSL has no memory")) }
        switch copenssl_tls_handshake(connection) {
        case COPENSSL_DONE.rawValue: break
        case Int32(COPENSSL_WANTS_READ.rawValue): return .waiting(.readable)
        case Int32(COPENSSL_WANTS_WRITE.rawValue): return .waiting(.writable)
        default:
            return .failed(PeerFailure(.identity, "TLS was not agreed on: \(Self.libraryReason())"))
        }
        var certificate = [UInt8](repeating: 0, count: 16_384)
        let count = copenssl_tls_certificate(connection, &certificate, certificate.count)
        guard count > 0, let key = PeerKey(certificate: Array(certificate[..<count])) else {
            return .failed(PeerFailure(.identity, "the other side has no certificate that can be read"))
        }
        state.peerKey = key
        state.peerCertificate = Array(certificate[..<count])
        state.phase = .open
        return .opened
    }
}
