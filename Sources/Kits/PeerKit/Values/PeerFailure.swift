/// Why peers do not connect, or are no longer connected: the code travels to the other side, the text is for people.
package struct PeerFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failures, as they are sent.
    package enum Code: String, Sendable, Codable {
        /// The person or the program at the other side said no.
        case declined
        /// No answer came in time.
        case timedOut
        /// This side withdrew.
        case cancelled
        /// The other side left on its own account.
        case left
        /// The connection was cut and did not come back in time.
        case lost
        /// Nothing listens at any of the addresses, or nothing answers.
        case unreachable
        /// The other side speaks no version that is spoken here.
        case version
        /// What the other side sent breaks the rules of the protocol.
        case invalid
        /// The other side is not who it should be, or has another key than before.
        case identity
        /// One side demands encryption, the other refuses it.
        case encryption
        /// A limit is reached: peers, invitations, connections, bytes that wait.
        case limit
        /// There is no such session or connection.
        case unknown
        /// Something failed on this machine: a socket, a file, memory.
        case system
    }

    package let code: Code
    package let reason: String
    /// What to do about it; may be empty.
    package let hint: String

    package init(_ code: Code, _ reason: String, hint: String = "") {
        (self.code, self.reason, self.hint) = (code, String(reason.prefix(400)), String(hint.prefix(400)))
    }

    package var description: String { hint.isEmpty ? reason : "\(reason); \(hint)" }

    /// Of a text of the other side, in which control characters are replaced.
    package init(received code: String?, _ text: String?) {
        let plain = String((text ?? "no reason given").prefix(400).map { $0.isNewline || $0 < " " ? " " : $0 })
        self.init(code.flatMap(Code.init(rawValue:)) ?? .unknown, plain)
    }

    /// Of the last call of the system.
    package static func system(_ attempt: String, _ number: Int32 = errno, hint: String = "") -> PeerFailure {
        PeerFailure(.system, "\(attempt): \(String(cString: strerror(number)))", hint: hint)
    }
}
