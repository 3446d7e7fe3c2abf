import CoreDataGraph
import LockKit
import UniformTypeIdentifiers

/// How a dialog for a text message ended.
public enum MessageComposeResult: Int, Sendable {
    /// The message was not sent.
    case cancelled = 0
    /// The gateway has taken the message.
    case sent = 1
    /// The message was not sent, or may not have been.
    case failed = 2
}

/// Gets the end of a dialog for a text message.
public protocol MFMessageComposeViewControllerDelegate: AnyObject, Sendable {
    /// Called exactly once for a dialog, on its queue. The dialog is closed.
    func messageComposeViewController(
        _ controller: MFMessageComposeViewController, didFinishWith result: MessageComposeResult)
}

/// A text message that a person writes: the model of Apple's class of this name, without a view.
///
/// Of ``send()`` and ``cancel()`` the first that is called counts; a dialog that is released without either ends as cancelled. May
/// be used on any thread.
public final class MFMessageComposeViewController: Sendable {
    /// What came of a dialog.
    public struct Outcome: Sendable {
        /// How it ended.
        public let result: MessageComposeResult
        /// Why it failed. Apple's class does not say.
        public let error: (any Error)?
    }

    private struct Draft {
        var message = TextMessage()
        var takesAttachments = true
        weak var delegate: (any MFMessageComposeViewControllerDelegate)?
    }

    private static let shared = Locked<(any MessageGateway)?>(nil)

    /// The gateway that dialogs take by default; nil until a program sets one.
    public static var gateway: (any MessageGateway)? {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private let draft = Locked(Draft())
    private let gateway: (any MessageGateway)?
    private let end: ComposerEnd<Outcome>

    /// A dialog.
    public init(
        gateway: (any MessageGateway)? = MFMessageComposeViewController.gateway, queue: DispatchQueue = .main
    ) {
        self.gateway = gateway
        end = ComposerEnd(queue: queue)
    }

    deinit { end.end(Outcome(result: .cancelled, error: nil), onlyIfOpen: true) }

    /// Whether text messages can be sent; where not, do not offer it.
    public static func canSendText() -> Bool { gateway?.canSend ?? false }
    /// Whether subjects are sent.
    public static func canSendSubject() -> Bool { canSendText() && gateway?.supportsSubject == true }
    /// Whether attachments are sent: pictures at least.
    public static func canSendAttachments() -> Bool { canSendText() && gateway?.supports(.jpeg) == true }
    /// Whether attachments of a type are sent, by its identifier: `public.jpeg`.
    public static func isSupportedAttachmentUTI(_ uti: String) -> Bool {
        guard canSendText(), let type = UTType(uti) else { return false }
        return gateway?.supports(type) == true
    }

    /// Gets the end.
    public var messageComposeDelegate: (any MFMessageComposeViewControllerDelegate)? {
        get { draft.withLock { $0.delegate } }
        set { draft.withLock { $0.delegate = newValue } }
    }

    /// Sets what is called at the end, once, besides the delegate.
    public func onFinish(_ handler: @escaping @Sendable (Outcome) -> Void) { end.set(handler) }

    /// The end, when it has come.
    public var outcome: Outcome { get async { await end.wait() } }
    /// Whether the end has come.
    public var isFinished: Bool { end.outcome != nil }

    /// Telephone numbers, or addresses of the service.
    public var recipients: [String]? {
        get { draft.withLock { $0.message.recipients } }
        set { draft.withLock { $0.message.recipients = newValue ?? [] } }
    }

    /// The text.
    public var body: String? {
        get { draft.withLock { $0.message.body } }
        set { draft.withLock { $0.message.body = newValue ?? "" } }
    }

    /// The subject.
    public var subject: String? {
        get { draft.withLock { $0.message.subject } }
        set { draft.withLock { $0.message.subject = newValue } }
    }

    /// The attachments.
    public var attachments: [SharedFile] { draft.withLock { $0.message.attachments } }

    /// Attaches data, if the gateway takes its type.
    ///
    /// - Parameters:
    ///   - attachmentData: The data.
    ///   - uti: The identifier of its type.
    ///   - filename: The name for the reader.
    /// - Returns: False if the gateway does not take it; nothing is attached then.
    @discardableResult
    public func addAttachmentData(_ attachmentData: Data, typeIdentifier uti: String, filename: String) -> Bool {
        guard let type = UTType(uti), gateway?.supports(type) == true else { return false }
        return draft.withLock { draft in
            guard draft.takesAttachments else { return false }
            draft.message.attachments.append(SharedFile(name: filename, type: type, data: attachmentData))
            return true
        }
    }

    /// Attaches a file, if it can be read and the gateway takes its type, which its first bytes say.
    @discardableResult
    public func addAttachmentURL(_ url: URL, withAlternateFilename name: String? = nil) -> Bool {
        guard let data = try? Data(contentsOf: url),
            let type = UTType(recognizing: data, filenameExtension: url.pathExtension)
        else { return false }
        return addAttachmentData(data, typeIdentifier: type.identifier, filename: name ?? url.lastPathComponent)
    }

    /// Refuses further attachments.
    public func disableUserAttachments() { draft.withLock { $0.takesAttachments = false } }

    /// Closes the dialog. Without effect while the message is being sent, and after the end.
    public func cancel() { finish(Outcome(result: .cancelled, error: nil), onlyIfOpen: true) }

    /// Sends the message and closes the dialog: on a thread of its own, without waiting.
    public func send() {
        guard end.begin() else { return }
        DispatchQueue.global().async { [self] in
            do {
                guard let gateway, gateway.canSend else {
                    throw MailError(
                        .notConfigured, "no gateway is set up to send text messages",
                        hint: "set MFMessageComposeViewController.gateway")
                }
                var message = draft.withLock { $0.message }
                if !gateway.supportsSubject { message.subject = nil }
                try message.check()
                try gateway.send(message)
                finish(Outcome(result: .sent, error: nil), onlyIfOpen: false)
            } catch { finish(Outcome(result: .failed, error: error), onlyIfOpen: false) }
        }
    }

    private func finish(_ outcome: Outcome, onlyIfOpen: Bool) {
        let delegate = messageComposeDelegate
        end.end(outcome, onlyIfOpen: onlyIfOpen) { [self] in
            delegate?.messageComposeViewController(self, didFinishWith: outcome.result)
        }
    }
}
