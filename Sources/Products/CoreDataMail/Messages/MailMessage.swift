import CoreDataGraph

/// A message before it is written: who gets it, what it says, what is attached.
public struct MailMessage: Sendable, Hashable {
    /// Who writes; nil until an account sets its own.
    public var sender: MailAddress?
    /// Who gets the answers, where that is another.
    public var replyTo: MailAddress?
    /// Who gets it.
    public var to: [MailAddress]
    /// Who gets a copy, as all can read.
    public var cc: [MailAddress]
    /// Who gets a copy without others knowing: in no field of the message.
    public var bcc: [MailAddress]
    /// The subject, in one line.
    public var subject: String
    /// The text; lines may be of any length, and end in any way.
    public var text: String
    /// The same as HTML; readers see it instead of the text, which may then be empty.
    public var html: String?
    /// The attachments, in order.
    public var attachments: [MailAttachment]
    /// When it was written; nil for the time at which it is written to a file.
    public var date: Date?

    /// A message; everything may be set later.
    public init(
        sender: MailAddress? = nil, to: [MailAddress] = [], cc: [MailAddress] = [], bcc: [MailAddress] = [],
        subject: String = "", text: String = "", html: String? = nil, attachments: [MailAttachment] = []
    ) {
        (self.sender, self.to, self.cc, self.bcc) = (sender, to, cc, bcc)
        (self.subject, self.text, self.html, self.attachments) = (subject, text, html, attachments)
    }

    /// All addresses that get the message, each once, in order.
    public var recipients: [String] {
        var known: Set<String> = []
        return (to + cc + bcc).map(\.address).filter { known.insert($0.lowercased()).inserted }
    }

    /// - Throws: ``MailError`` with `invalidMessage`, which says what is missing or wrong.
    func check() throws {
        guard sender != nil else {
            throw MailError(.invalidMessage, "the message has no sender", hint: "set 'sender', or send by an account")
        }
        guard !recipients.isEmpty else {
            throw MailError(
                .invalidMessage, "the message has no recipient", hint: "add an address to 'to', 'cc' or 'bcc'")
        }
        guard recipients.count <= 1_000 else {
            throw MailError(
                .invalidMessage, "the message has more than 1,000 recipients",
                hint: "send it in several messages, or to a list")
        }
        try FieldText.check(subject, of: "the subject")
        for attachment in attachments { try attachment.check() }
    }
}
