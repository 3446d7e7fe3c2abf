import Foundation
import Glibc
import LockKit

/// A mail server on the loopback address that keeps what it gets, and refuses what a test says.
///
/// It speaks SMTP in plain text (RFC 5321), without logins. The server ends with the last reference.
///
///     let server = try ScriptedMailServer()
///     let transport = SMTPTransport(SMTPServer(host: "127.0.0.1", port: server.port, security: .none))
///
/// May be used from any thread.
public final class ScriptedMailServer: Sendable {
    /// A message that was accepted.
    public struct Message: Sendable {
        /// The sender of the envelope.
        public let sender: String
        /// The recipients of the envelope that were accepted.
        public let recipients: [String]
        /// The message, with lines that end in CR and LF.
        public let data: Data

        /// The value of a header field, with continued lines put together; nil if there is none.
        public func field(_ name: String) -> String? {
            let text = String(decoding: data, as: UTF8.self)
            let head = text.range(of: "\r\n\r\n").map { String(text[..<$0.lowerBound]) } ?? text
            let lines = head.replacingOccurrences(of: "\r\n ", with: " ").replacingOccurrences(of: "\r\n\t", with: " ")
            for line in lines.components(separatedBy: "\r\n") {
                guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                    continue
                }
                return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
            return nil
        }
    }

    /// What the server does instead of accepting.
    public enum Fault: Sendable, Hashable {
        /// Answers this command, such as `MAIL`, `DATA` or `.` for the end of a message, with a reply such as
        /// `451 4.3.0 try later`.
        case reply(String, to: String)
        /// Refuses a recipient with a reply such as `550 5.1.1 no such mailbox`.
        case refuse(String, reply: String)
        /// Closes the connection when this command comes.
        case close(on: String)
    }

    struct State {
        var messages: [Message] = []
        var faults: Set<Fault> = []
        var commands: [String] = []
        var sockets: Set<Int32> = []
        var isStopped = false
    }

    /// The port, which the system has chosen.
    public let port: Int
    private let listener: Int32
    let state = Locked(State())

    /// Listens on a free port.
    ///
    /// - Throws: an error that says so if there is no port.
    public init() throws {
        (listener, port) = try ScriptedServer.listen()
        let thread = Thread { [reference = WeakMailServer(self), listener] in Self.accept(listener, reference) }
        thread.name = "ScriptedMailServer"
        thread.start()
    }

    deinit { stop() }

    /// The messages that were accepted, in order.
    public var messages: [Message] { state.withLock { $0.messages } }
    /// The commands of all clients, in order.
    public var commands: [String] { state.withLock { $0.commands } }
    /// What the server does instead of accepting; by itself it accepts everything.
    public var faults: Set<Fault> {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// Closes all connections and takes no more.
    public func stop() {
        state.withLock { state in
            if !state.isStopped { shutdown(listener, Int32(SHUT_RDWR)) }
            state.isStopped = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private static func accept(_ listener: Int32, _ reference: WeakMailServer) {
        defer { close(listener) }
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard socket >= 0 else { return }
            let isServed = reference.server?.state.withLock { state in
                guard !state.isStopped else { return false }
                state.sockets.insert(socket)
                return true
            }
            guard isServed == true, let state = reference.server?.state else {
                close(socket)
                return
            }
            // The thread keeps the state, not the server, so that the last reference of a test ends it.
            Thread {
                MailSession(socket, state).run()
                state.withLock { _ = $0.sockets.remove(socket) }
                close(socket)
            }.start()
        }
    }
}

/// The server that a listening thread serves, as long as a test has it.
private final class WeakMailServer: Sendable {
    weak let server: ScriptedMailServer?

    init(_ server: ScriptedMailServer) { self.server = server }
}
