import CoreDataGraph

/// A message in an outbox, as it was when it was asked for.
public struct OutboxItem: Sendable, Hashable, Identifiable {
    /// What has become of a message.
    ///
    /// | state | set by | next |
    /// |---|---|---|
    /// | `queued` | adding; a failure that may pass; ``Outbox/retry(_:at:)`` | `sending`, `cancelled` |
    /// | `sending` | draining | any but `cancelled`; `queued` if the process ends |
    /// | `committing` | draining, directly before the last step | `sent`, `failed`, `unknown`, also if the process ends |
    /// | `sent`, `failed`, `unknown`, `cancelled` | | `queued` by ``Outbox/retry(_:at:)``, but for `sent` |
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Waits for its time.
        case queued
        /// Is being sent; nothing was handed over.
        case sending
        /// Has been handed over, and the answer is not there.
        case committing
        /// All recipients have got it.
        case sent
        /// Some or all recipients have not got it, and no further attempt is made.
        case failed
        /// It may have been sent; no further attempt is made.
        case unknown
        /// A person has taken it back.
        case cancelled
    }

    /// The identifier in the outbox.
    public let id: UUID
    /// What has become of it.
    public let state: State
    /// The subject, for lists.
    public let subject: String
    /// The sender's address.
    public let sender: String
    /// The recipients who have not got it yet, and are tried at the next attempt.
    public let pending: [String]
    /// The recipients for whom it was sent.
    public let accepted: [String]
    /// The recipients that were refused for good.
    public let refused: [RefusedRecipient]
    /// How many times it was tried.
    public let attempts: Int
    /// When it was put in.
    public let created: Date
    /// When it is tried next, for `queued`.
    public let nextAttempt: Date
    /// Why the last attempt failed; nil if none did.
    public let lastError: String?
    /// The message as it goes over the wire; gone once it is sent, unless the outbox keeps it.
    public let file: URL
}
