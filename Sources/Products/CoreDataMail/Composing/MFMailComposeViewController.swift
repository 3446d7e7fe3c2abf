import CoreDataGraph
import LockKit

/// How a dialog for mail ended.
public enum MFMailComposeResult: Int, Sendable {
    /// The message was not sent and not kept.
    case cancelled = 0
    /// The message waits in the outbox, and is sent later.
    case saved = 1
    /// The message was sent to all recipients.
    case sent = 2
    /// The message was not sent to all recipients, or may not have been; the error says more.
    case failed = 3
}

/// Gets the end of a dialog for mail.
public protocol MFMailComposeViewControllerDelegate: AnyObject, Sendable {
    /// Called exactly once for a dialog, on its queue. The dialog is closed.
    func mailComposeController(
        _ controller: MFMailComposeViewController, didFinishWith result: MFMailComposeResult, error: (any Error)?)
}

/// A message that a person writes: the model of Apple's class of this name, without a view.
///
/// A page or a terminal shows what is in it, and calls ``send()``, ``save()`` or ``cancel()``; of these the first that is called counts.
/// A dialog that is released without any ends as cancelled. May be used on any thread.
public final class MFMailComposeViewController: Sendable {
    /// What came of a dialog.
    public struct Outcome: Sendable {
        /// How it ended.
        public let result: MFMailComposeResult
        /// Why it failed; for a saved message why it was not sent now, if it should have been.
        public let error: (any Error)?
    }

    private struct Draft {
        var sender: String?
        var to: [String] = []
        var cc: [String] = []
        var bcc: [String] = []
        var message = MailMessage()
        weak var delegate: (any MFMailComposeViewControllerDelegate)?
    }

    private let draft = Locked(Draft())
    private let account: MailAccount?
    private let end: ComposerEnd<Outcome>

    /// A dialog.
    ///
    /// - Parameters:
    ///   - account: Who sends; nil fails to send.
    ///   - queue: Where the delegate and the handler are called.
    public init(account: MailAccount? = .current, queue: DispatchQueue = .main) {
        self.account = account
        end = ComposerEnd(queue: queue)
    }

    deinit { end.end(Outcome(result: .cancelled, error: nil), onlyIfOpen: true) }

    /// Whether mail can be sent by the process's account; where not, do not offer it.
    public static func canSendMail() -> Bool { MailAccount.current?.canSend ?? false }

    /// Gets the end.
    public var mailComposeDelegate: (any MFMailComposeViewControllerDelegate)? {
        get { draft.withLock { $0.delegate } }
        set { draft.withLock { $0.delegate = newValue } }
    }

    /// Sets what is called at the end, once, besides the delegate.
    public func onFinish(_ handler: @escaping @Sendable (Outcome) -> Void) { end.set(handler) }

    /// The end, when it has come.
    public var outcome: Outcome { get async { await end.wait() } }
    /// Whether the end has come.
    public var isFinished: Bool { end.outcome != nil }

    /// Sets the subject.
    public func setSubject(_ subject: String) { draft.withLock { $0.message.subject = subject } }
    /// Sets the recipients, as `address` or `Name <address>`.
    public func setToRecipients(_ recipients: [String]?) { draft.withLock { $0.to = recipients ?? [] } }
    /// Sets who gets a copy.
    public func setCcRecipients(_ recipients: [String]?) { draft.withLock { $0.cc = recipients ?? [] } }
    /// Sets who gets a copy of which others do not know.
    public func setBccRecipients(_ recipients: [String]?) { draft.withLock { $0.bcc = recipients ?? [] } }
    /// Sets the sender; nil for the account's.
    public func setPreferredSendingEmailAddress(_ address: String?) { draft.withLock { $0.sender = address } }

    /// Sets the text, plain or as HTML.
    public func setMessageBody(_ body: String, isHTML: Bool) {
        draft.withLock { draft in
            if isHTML { draft.message.html = body } else { (draft.message.text, draft.message.html) = (body, nil) }
        }
    }

    /// Attaches a file.
    public func addAttachmentData(_ attachment: Data, mimeType: String, fileName: String) {
        add(MailAttachment(data: attachment, mimeType: mimeType, fileName: fileName))
    }

    /// Attaches a file, which need not be in memory. Not in Apple's class.
    public func add(_ attachment: MailAttachment) { draft.withLock { $0.message.attachments.append(attachment) } }

    /// What is in the dialog now, for those who show it.
    ///
    /// - Throws: ``MailError`` with `invalidMessage` for an address that is none.
    public func message() throws -> MailMessage {
        let draft = draft.withLock { $0 }
        var message = draft.message
        message.sender = try draft.sender.map { try MailAddress($0) } ?? account?.sender
        message.to = try draft.to.map { try MailAddress($0) }
        message.cc = try draft.cc.map { try MailAddress($0) }
        message.bcc = try draft.bcc.map { try MailAddress($0) }
        return message
    }

    /// Closes the dialog; the message is not kept. Without effect while it is being sent, and after the end.
    public func cancel() { finish(Outcome(result: .cancelled, error: nil), onlyIfOpen: true) }

    /// Keeps the message in the account's outbox, to be sent later, and closes the dialog.
    public func save() {
        guard end.begin() else { return }
        work { [self] in
            guard let outbox = account?.outbox else {
                throw MailError(
                    .notConfigured, "the account has no outbox to keep messages in", hint: "give the account one")
            }
            try outbox.add(try message())
            return Outcome(result: .saved, error: nil)
        }
    }

    /// Sends the message and closes the dialog: on a thread of its own, without waiting.
    ///
    /// Where it cannot be sent now, and the account has an outbox, it is kept there and the result is `saved`.
    public func send() {
        guard end.begin() else { return }
        work { [self] in try Sending(account: account).send(try message()) }
    }

    private func work(_ body: @escaping @Sendable () throws -> Outcome) {
        DispatchQueue.global().async { [self] in
            let outcome: Outcome
            do { outcome = try body() } catch { outcome = Outcome(result: .failed, error: error) }
            finish(outcome, onlyIfOpen: false)
        }
    }

    private func finish(_ outcome: Outcome, onlyIfOpen: Bool) {
        let delegate = mailComposeDelegate
        end.end(outcome, onlyIfOpen: onlyIfOpen) { [self] in
            delegate?.mailComposeController(self, didFinishWith: outcome.result, error: outcome.error)
        }
    }
}

/// Sends a message by an account, now or later.
private struct Sending {
    let account: MailAccount?

    func send(_ message: MailMessage) throws -> MFMailComposeViewController.Outcome {
        guard let account, account.transport.canSend else {
            throw MailError(.notConfigured, "no account is set up to send mail", hint: "set MailAccount.current")
        }
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString).eml")
        let file = try message.write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        do {
            let delivery = try account.transport.deliver(file)
            return .init(result: delivery.error == nil ? .sent : .failed, error: delivery.error)
        } catch let error as MailError where error.isTemporary {
            guard let outbox = account.outbox else { throw error }
            try outbox.add(file, subject: message.subject)
            return .init(result: .saved, error: error)
        }
    }
}
