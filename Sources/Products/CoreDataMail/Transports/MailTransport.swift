import CoreDataGraph

/// What sends messages: a server, or a test's record.
public protocol MailTransport: Sendable {
    /// Whether the transport is set up to send; false offers nothing to people. It says nothing of the network.
    var canSend: Bool { get }

    /// Sends a message once, and waits until the transport has answered.
    ///
    /// A transport must not send a message again by itself once it called `willCommit`.
    ///
    /// - Parameters:
    ///   - message: The file and its envelope.
    ///   - willCommit: Called once, directly before the step after which the message may have been sent. What it throws stops the
    ///     transport, with nothing sent.
    /// - Returns: Who was accepted, and who was refused while others were accepted.
    /// - Throws: ``MailError``. With any code but `outcomeUnknown` nothing was sent.
    func deliver(_ message: MailFile, willCommit: () throws -> Void) throws -> MailDelivery
}

extension MailTransport {
    /// Sends a message once, and waits.
    @discardableResult
    public func deliver(_ message: MailFile) throws -> MailDelivery { try deliver(message) {} }
}

/// What became of a message that a transport sent.
public struct MailDelivery: Sendable, Hashable {
    /// The recipients for whom it was sent.
    public let accepted: [String]
    /// The recipients that were refused; the message was sent to the others only.
    public let refused: [RefusedRecipient]
    /// The server's last word, in one line: often with a number by which it is found in the server's log.
    public let reply: String

    /// A result, as a transport reports it.
    public init(accepted: [String], refused: [RefusedRecipient] = [], reply: String = "") {
        (self.accepted, self.refused, self.reply) = (accepted, refused, reply)
    }

    /// The error for recipients who got nothing; nil if all did.
    public var error: MailError? {
        guard !refused.isEmpty else { return nil }
        return .recipients(refused, accepted: accepted)
    }
}

extension MailError {
    /// Some recipients, or all, were refused.
    static func recipients(_ refused: [RefusedRecipient], accepted: [String]) -> MailError {
        let names = refused.map { FieldText.shown($0.description) }.joined(separator: "; ")
        let others =
            accepted.isEmpty
            ? "no one has got the message" : "the others have got it: \(accepted.joined(separator: ", "))"
        return MailError(
            .recipientsRefused, "the server refused \(names); \(others)",
            hint: "correct the address, and send the message to that one only", refused: refused)
    }
}
