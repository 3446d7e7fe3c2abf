import Foundation
import Glibc
import LockKit

/// A client's connection to a `ScriptedMailServer`.
final class MailSession {
    /// The greatest length of a command line, and size of a message, in bytes.
    private static let (longestLine, greatestMessage) = (4_096, 64 << 20)

    private let socket: Int32
    private let state: Locked<ScriptedMailServer.State>
    private var received = Data()
    private var sender = ""
    private var recipients: [String] = []

    init(_ socket: Int32, _ state: Locked<ScriptedMailServer.State>) { (self.socket, self.state) = (socket, state) }

    /// Answers the client until it or a fault ends the connection.
    func run() {
        guard send("220 127.0.0.1 ESMTP") else { return }
        while let line = line(), answer(line) {}
    }

    /// Answers a command; false ends the connection.
    private func answer(_ line: String) -> Bool {
        let command = line.prefix { $0 != " " && $0 != ":" }.uppercased()
        state.withLock { $0.commands.append(line) }
        let faults = state.withLock { $0.faults }
        guard !faults.contains(.close(on: command)) else { return false }
        if let reply = Self.reply(to: command, faults) { return send(reply) }
        switch command {
        case "EHLO": return send("250-127.0.0.1\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE \(Self.greatestMessage)")
        case "HELO", "NOOP": return send("250 OK")
        case "MAIL":
            (sender, recipients) = (Self.address(line), [])
            return send("250 OK")
        case "RCPT": return send(answerRecipient(Self.address(line), faults))
        case "DATA": return receive(faults)
        case "RSET":
            (sender, recipients) = ("", [])
            return send("250 OK")
        case "QUIT":
            _ = send("221 bye")
            return false
        default: return send("502 5.5.1 not known")
        }
    }

    private func answerRecipient(_ address: String, _ faults: Set<ScriptedMailServer.Fault>) -> String {
        for case .refuse(let refused, let reply) in faults where refused.lowercased() == address.lowercased() {
            return reply
        }
        recipients.append(address)
        return "250 OK"
    }

    /// Receives a message until its last dot.
    private func receive(_ faults: Set<ScriptedMailServer.Fault>) -> Bool {
        guard !recipients.isEmpty else { return send("503 5.5.1 no recipient") }
        guard send("354 go on") else { return false }
        var message = Data()
        while let line = lineData() {
            if line == Data(".".utf8) {
                guard !faults.contains(.close(on: ".")) else { return false }
                if let reply = Self.reply(to: ".", faults) { return send(reply) }
                let made = ScriptedMailServer.Message(sender: sender, recipients: recipients, data: message)
                state.withLock { $0.messages.append(made) }
                return send("250 2.0.0 queued")
            }
            message += (line.first == UInt8(ascii: ".") ? line.dropFirst() : line) + Data("\r\n".utf8)
            guard message.count <= Self.greatestMessage else { return send("552 5.3.4 too large") && false }
        }
        return false
    }

    private static func reply(to command: String, _ faults: Set<ScriptedMailServer.Fault>) -> String? {
        for case .reply(let reply, let name) in faults where name.uppercased() == command { return reply }
        return nil
    }

    /// The address between angle brackets.
    private static func address(_ line: String) -> String {
        guard let start = line.firstIndex(of: "<"), let end = line[start...].firstIndex(of: ">") else { return "" }
        return String(line[line.index(after: start)..<end])
    }

    // MARK: Bytes

    private func line() -> String? {
        guard let line = lineData(), line.count <= Self.longestLine else { return nil }
        return String(decoding: line, as: UTF8.self)
    }

    /// The next line without its end; nil when the client has closed the connection, or sends a line without end.
    private func lineData() -> Data? {
        while true {
            if let end = received.range(of: Data("\r\n".utf8)) {
                defer { received = received[end.upperBound...] }
                return Data(received[..<end.lowerBound])
            }
            guard received.count <= Self.greatestMessage else { return nil }
            var part = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &part, part.count, 0)
            guard count > 0 else { return nil }
            received.append(contentsOf: part[..<count])
        }
    }

    private func send(_ line: String) -> Bool {
        var rest = Data((line + "\r\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
