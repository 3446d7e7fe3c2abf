import CoreDataGraph
import LockKit

/// A transport that sends nothing and keeps what would have been sent: for tests, and for trying a program out.
///
/// May be used on any thread. What it answers can be set, so that each way in which sending ends can be tried.
public final class RecordingTransport: MailTransport {
    /// A message that would have been sent.
    public struct Record: Sendable {
        /// The sender of the envelope.
        public let sender: String
        /// The recipients of the envelope that were not refused.
        public let recipients: [String]
        /// The message as it would have gone over the wire.
        public let data: Data
    }

    private struct State {
        var records: [Record] = []
        var attempts = 0
        var canSend = true
        var error: MailError?
        var errorAfterCommit: MailError?
        var refused: [String: RefusedRecipient] = [:]
    }

    private let state = Locked(State())

    /// A transport that accepts everything.
    public init() {}

    /// The messages so far, oldest first.
    public var records: [Record] { state.withLock { $0.records } }
    /// How many times a message was handed over, sent or not.
    public var attempts: Int { state.withLock { $0.attempts } }

    /// Whether the transport says that it can send.
    public var canSend: Bool {
        get { state.withLock { $0.canSend } }
        set { state.withLock { $0.canSend = newValue } }
    }

    /// The error with which every further message fails, before anything is sent; nil accepts them again.
    public func fail(with error: MailError?) { state.withLock { $0.error = error } }

    /// The error with which every further message fails after the whole of it was handed over: its outcome is not known.
    public func failAfterCommit(with error: MailError?) { state.withLock { $0.errorAfterCommit = error } }

    /// Refuses a recipient from now on; a code of 0 accepts it again.
    public func refuse(_ address: String, code: Int = 550, text: String = "no such mailbox") {
        state.withLock {
            $0.refused[address.lowercased()] =
                code == 0 ? nil : RefusedRecipient(address: address, code: code, text: text)
        }
    }

    /// Forgets all messages.
    public func removeAll() { state.withLock { $0.records = [] } }

    /// Records the message.
    public func deliver(_ message: MailFile, willCommit: () throws -> Void) throws -> MailDelivery {
        let (error, later, refused) = state.withLock { state in
            state.attempts += 1
            return (
                state.error, state.errorAfterCommit, message.recipients.compactMap { state.refused[$0.lowercased()] }
            )
        }
        if let error { throw error }
        let names = Set(refused.map { $0.address.lowercased() })
        let accepted = message.recipients.filter { !names.contains($0.lowercased()) }
        guard !accepted.isEmpty else { throw MailError.recipients(refused, accepted: []) }
        let data: Data
        do { data = try Data(contentsOf: message.url) } catch { throw MessageScan.unusable(message.url, error) }
        try willCommit()
        if let later { throw later }
        state.withLock { $0.records.append(Record(sender: message.sender, recipients: accepted, data: data)) }
        return MailDelivery(accepted: accepted, refused: refused, reply: "250 recorded")
    }
}

extension MailError {
    /// An error for ``RecordingTransport``, and for transports of one's own.
    public static func transport(_ code: Code, _ reason: String, hint: String = "try again later") -> MailError {
        MailError(code, reason, hint: hint)
    }
}
