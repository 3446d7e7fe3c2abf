import Foundation

/// One connection through a `FaultProxy`; its thread forwards the data of client and server.
final class FaultProxyConnection {
    /// The error that ends the forwarding.
    private struct Ended: Error {}

    /// The maximum number of request bytes to buffer; longer requests are forwarded in parts.
    private static let longestHeld = 1 << 20
    /// The time limit in seconds for a server response that the proxy reads completely before acting on it.
    private static let patience: TimeInterval = 10

    private let client: Int32
    private let server: Int32
    private let proxy: () -> (any FaultSource)?
    private let number: Int?
    private var requests = WireMessages(hasStartup: true)
    private var answers = WireMessages(hasStartup: false)
    private var held: [UInt8] = []
    private var isStartup = true
    /// Whether the client has sent the proxy's `awaitedText`.
    private var hasSentText = false
    /// The transaction status in the server's last ReadyForQuery: idle (I), in a transaction (T) or in a failed one
    /// (E).
    private var transaction = UInt8(ascii: "I")

    init(_ client: Int32, server: Int32, proxy: @escaping () -> (any FaultSource)?) {
        (self.client, self.server, self.proxy) = (client, server, proxy)
        number = proxy()?.connections
    }

    /// Whether the proxy still runs and has not ended this connection.
    private var isKept: Bool {
        guard let proxy = proxy(), !proxy.isStopped else { return false }
        return proxy.connections == number
    }

    func run() {
        // The loop ends only by a thrown error.
        do { while true { try step() } } catch {}
        close(client)
        close(server)
    }

    private func step() throws {
        let readable = UnixSocket.readable(client, server, within: 100)
        guard isKept else { throw Ended() }
        if readable.second {
            let bytes = try read(server)
            note(bytes)
            try write(bytes, to: client)
        }
        if readable.first {
            requests.append(try read(client))
            while let message = requests.next() { try take(message) }
        }
    }

    private func read(_ socket: Int32) throws -> [UInt8] {
        guard let bytes = UnixSocket.read(socket) else { throw Ended() }
        return bytes
    }

    private func write(_ bytes: [UInt8], to socket: Int32) throws {
        guard UnixSocket.write(bytes, to: socket) else { throw Ended() }
    }

    // MARK: Requests

    private func take(_ message: WireMessages.Message) throws {
        held += message.bytes
        let isCancellation = message.type == 0 && Array(message.bytes.dropFirst(4).prefix(4)) == [4, 210, 22, 46]
        switch message.type {
        case 0 where isCancellation: try passOn()
        case UInt8(ascii: "S"), UInt8(ascii: "Q"), 0: try end(proxy()?.beginTrip(isAwaited: isAwaitedCommit()))
        case UInt8(ascii: "X"), UInt8(ascii: "p"): try passOn()
        default: if held.count > Self.longestHeld { try passOn() }
        }
        isStartup = false
    }

    /// Whether the held request is the commit after the awaited text.
    private func isAwaitedCommit() -> Bool {
        guard let text = proxy()?.awaitedText else { return false }
        let isCommit = hasSentText && contains("COMMIT")
        hasSentText = hasSentText || contains(text)
        return isCommit
    }

    private func contains(_ text: String) -> Bool { Data(held).range(of: Data(text.utf8)) != nil }

    private func passOn() throws {
        try write(held, to: server)
        held = []
    }

    /// Ends a request, after which the client waits for the response: forwards it, or applies the fault.
    private func end(_ fault: WireFault?) throws {
        switch fault {
        case nil: try passOn()
        case .cut: throw Ended()
        case .cutWithinRequest:
            held.removeLast(held.count / 2)
            try passOn()
            throw Ended()
        case .loseAnswer:
            try passOn()
            _ = try answer()
            throw Ended()
        case .stallBeforeRequest: try stall()
        case .stallBeforeAnswer:
            try passOn()
            _ = try answer()
            try stall()
        case .garble(let damage):
            try passOn()
            let (bytes, ends) = damage.apply(to: try answer())
            try write(bytes, to: client)
            if ends { throw Ended() }
        case .answer(let code)?:
            let ends = isStartup || fault?.endsConnection == true
            held = []
            try write(refusal(code, isFatal: ends), to: client)
            if ends { throw Ended() }
        }
    }

    /// Forwards nothing until the server closes its end or the proxy ends the connection; does not notice if the client
    /// closes, as in a network that loses all packets.
    private func stall() throws {
        while isKept {
            guard UnixSocket.readable(server, server, within: 100).first else { continue }
            _ = try read(server)
        }
        throw Ended()
    }

    // MARK: Answers

    /// Reads the transaction status from a forwarded response.
    private func note(_ bytes: [UInt8]) {
        answers.append(bytes)
        while let message = answers.next() {
            if message.type == UInt8(ascii: "Z"), let status = message.bytes.last { transaction = status }
        }
    }

    /// Reads the server's response until the server waits for the client.
    private func answer() throws -> [UInt8] {
        let end = Date(timeIntervalSinceNow: Self.patience)
        var found: [UInt8] = []
        while end.timeIntervalSinceNow > 0, isKept {
            guard UnixSocket.readable(server, server, within: 100).first else { continue }
            let bytes = try read(server)
            found += bytes
            answers.append(bytes)
            var isEnd = false
            while let message = answers.next() {
                // After CopyInResponse (G) the server waits for rows.
                isEnd = isEnd || message.type == UInt8(ascii: "Z") || message.type == UInt8(ascii: "G")
                if message.type == UInt8(ascii: "Z"), let status = message.bytes.last { transaction = status }
            }
            if isEnd { return found }
        }
        throw Ended()
    }

    private func refusal(_ code: String, isFatal: Bool) -> [UInt8] {
        let severity = isFatal ? "FATAL" : "ERROR"
        let fields = [("S", severity), ("V", severity), ("C", code), ("M", "the proxy says \(code)")]
        let body: [UInt8] = fields.flatMap { field -> [UInt8] in Array("\(field.0)\(field.1)".utf8) + [0] } + [0]
        var bytes = Self.message("E", body)
        if !isFatal {
            // A statement that fails in a transaction leaves the transaction failed.
            let status = transaction == UInt8(ascii: "I") ? transaction : UInt8(ascii: "E")
            bytes += Self.message("Z", [status])
        }
        return bytes
    }

    private static func message(_ type: Unicode.Scalar, _ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count + 4)
        return [UInt8(ascii: type)] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body
    }
}
