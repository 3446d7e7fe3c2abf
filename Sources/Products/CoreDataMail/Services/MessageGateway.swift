import CoreDataGraph
import LockKit
import UniformTypeIdentifiers

/// A text message before it is sent.
public struct TextMessage: Sendable, Hashable {
    /// Telephone numbers, or addresses of the service.
    public var recipients: [String]
    /// A subject; nil for none.
    public var subject: String?
    /// The text.
    public var body: String
    /// Pictures and the like.
    public var attachments: [SharedFile]

    /// A message.
    public init(recipients: [String] = [], subject: String? = nil, body: String = "", attachments: [SharedFile] = []) {
        (self.recipients, self.subject, self.body, self.attachments) = (recipients, subject, body, attachments)
    }

    /// - Throws: ``MailError`` with `invalidMessage`.
    func check() throws {
        guard !recipients.isEmpty else {
            throw MailError(.invalidMessage, "the message has no recipient", hint: "add a telephone number")
        }
        guard recipients.count <= 1_000, attachments.count <= 100 else {
            throw MailError(
                .invalidMessage, "the message has more than 1,000 recipients or 100 attachments", hint: "send several")
        }
        for recipient in recipients {
            try FieldText.check(recipient, of: "a recipient")
            guard !recipient.trimmingCharacters(in: .whitespaces).isEmpty, recipient.utf8.count <= 254 else {
                throw MailError(
                    .invalidMessage, "a recipient is empty, or longer than 254 bytes", hint: "write a telephone number")
            }
        }
        if let subject { try FieldText.check(subject, of: "the subject") }
    }
}

/// What sends text messages.
public protocol MessageGateway: Sendable {
    /// Whether the gateway is set up.
    var canSend: Bool { get }
    /// Whether subjects are sent.
    var supportsSubject: Bool { get }
    /// Whether attachments of a type are sent.
    func supports(_ type: UTType) -> Bool
    /// Sends a message once, and waits.
    ///
    /// - Throws: ``MailError``.
    func send(_ message: TextMessage) throws
}

/// A gateway that takes messages over HTTP, as providers of text messages have them.
public struct HTTPMessageGateway: MessageGateway {
    /// How the provider wants them.
    public let service: HTTPService
    /// Whether the provider takes subjects.
    public let supportsSubject: Bool
    /// The types of attachments that the provider takes; those that conform to them too.
    public let attachmentTypes: [UTType]

    /// A gateway.
    public init(_ service: HTTPService, supportsSubject: Bool = false, attachmentTypes: [UTType] = []) {
        (self.service, self.supportsSubject, self.attachmentTypes) = (service, supportsSubject, attachmentTypes)
    }

    /// Whether the URL is one of the web.
    public var canSend: Bool { service.isUsable }

    /// Whether attachments of a type are sent.
    public func supports(_ type: UTType) -> Bool { attachmentTypes.contains { type.conforms(to: $0) } }

    /// Sends the message as one request.
    public func send(_ message: TextMessage) throws {
        var values = [("recipients", message.recipients), ("body", [message.body])]
        if let subject = message.subject { values.append(("subject", [subject])) }
        _ = try service.post(values.map { (field: $0.0, values: $0.1) }, files: message.attachments)
    }
}

/// A gateway that sends nothing and keeps what would have been sent.
public final class RecordingGateway: MessageGateway {
    private let state = Locked((messages: [TextMessage](), error: MailError?.none, canSend: true))
    /// Subjects are kept.
    public let supportsSubject: Bool
    private let types: [UTType]

    /// A gateway that accepts everything, or attachments of some types.
    public init(supportsSubject: Bool = true, attachmentTypes: [UTType] = [.data]) {
        (self.supportsSubject, types) = (supportsSubject, attachmentTypes)
    }

    /// The messages so far.
    public var messages: [TextMessage] { state.withLock { $0.messages } }

    /// Whether the gateway says that it can send.
    public var canSend: Bool {
        get { state.withLock { $0.canSend } }
        set { state.withLock { $0.canSend = newValue } }
    }

    /// The error with which every further message fails; nil accepts them again.
    public func fail(with error: MailError?) { state.withLock { $0.error = error } }

    /// Whether attachments of a type are kept.
    public func supports(_ type: UTType) -> Bool { types.contains { type.conforms(to: $0) } }

    /// Records the message.
    public func send(_ message: TextMessage) throws {
        try state.withLock { state in
            if let error = state.error { throw error }
            state.messages.append(message)
        }
    }
}
