import CoreDataGraph
import LockKit

/// Who sends mail in a process, and by what.
public struct MailAccount: Sendable {
    private static let shared = Locked<MailAccount?>(nil)

    /// The account that composers take by default; nil until a program sets one.
    public static var current: MailAccount? {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// The sender of messages that have none.
    public let sender: MailAddress
    /// What sends.
    public let transport: any MailTransport
    /// Where messages wait that cannot be sent now; nil if they are not kept.
    public let outbox: Outbox?

    /// An account.
    public init(sender: MailAddress, transport: any MailTransport, outbox: Outbox? = nil) {
        (self.sender, self.transport, self.outbox) = (sender, transport, outbox)
    }

    /// Whether mail can be written and sent: the transport is set up, and GMime is installed.
    public var canSend: Bool { transport.canSend && MailMessage.canBeWritten }
}
