import CoreDataGraph

/// Why a message was not written or sent, and what to do.
public struct MailError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: String, Sendable, Codable {
        /// An address, a subject, a name or an attachment is not valid; nothing was written or sent.
        case invalidMessage
        /// An attachment, or the file of a message, cannot be read or written.
        case unusableFile
        /// GMime is not installed.
        case libraryMissing
        /// No account is configured, or its transport cannot send.
        case notConfigured
        /// No connection was made to the server.
        case unreachable
        /// The server's certificate is not valid or not trusted, or it offers no encryption although it is asked for.
        case insecureConnection
        /// The server offers no login, or refuses it.
        case loginFailed
        /// The connection ended, or the server said nothing for too long, before it had the whole message: it was not sent.
        case connectionLost
        /// The server accepts no message of this size.
        case tooLarge
        /// The server will not take the message now; later perhaps.
        case deferred
        /// The server refuses the message.
        case refused
        /// Some recipients, or all, were refused: ``MailError/refused`` names them. The others have got the message.
        case recipientsRefused
        /// The whole message was handed over, and no answer came: it may have been sent. Sending it again may send it twice.
        case outcomeUnknown
        /// The person, or the program, gave up sending.
        case cancelled
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence for people.
    public let reason: String
    /// What to do about it.
    public let hint: String
    /// The recipients that the server refused, each with what it said; empty for other failures.
    public let refused: [RefusedRecipient]

    package init(_ code: Code, _ reason: String, hint: String, refused: [RefusedRecipient] = []) {
        (self.code, self.reason, self.hint, self.refused) = (code, reason, hint, refused)
    }

    /// Whether nothing was sent, and the same message may be sent later.
    public var isTemporary: Bool {
        switch code {
        case .unreachable, .connectionLost, .deferred: true
        case .recipientsRefused: refused.contains { $0.isTemporary }
        default: false
        }
    }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }
}

/// A recipient that a server refused.
public struct RefusedRecipient: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The address.
    public let address: String
    /// The code of the server's reply: 4xx for a refusal that may pass, 5xx for one that stays.
    public let code: Int
    /// What the server said, in one line.
    public let text: String

    /// A refusal, as a transport reports it.
    public init(address: String, code: Int, text: String) {
        (self.address, self.code, self.text) = (address, code, text)
    }

    /// Whether the recipient may be accepted later.
    public var isTemporary: Bool { (400..<500).contains(code) }

    /// The address and the reply.
    public var description: String { "\(address): \(code) \(text)" }
}
