import CoreDataGraph

/// What a `mailto:` link says, RFC 6068: recipients, a subject and a text.
///
/// Fields of a link that are none of these are left out, so that a link cannot attach files or forge a sender.
public struct MailtoLink: Sendable, Hashable {
    /// Addresses.
    public var to: [MailAddress]
    /// Addresses for a copy.
    public var cc: [MailAddress]
    /// Addresses for a copy of which others do not know.
    public var bcc: [MailAddress]
    /// The subject.
    public var subject: String
    /// The text.
    public var body: String

    /// The longest link that is read, in bytes.
    public static let longest = 65_536

    /// What a link is to say. Names of addresses are not in links.
    public init(
        to: [MailAddress] = [], cc: [MailAddress] = [], bcc: [MailAddress] = [], subject: String = "", body: String = ""
    ) {
        (self.to, self.cc, self.bcc, self.subject, self.body) = (to, cc, bcc, subject, body)
    }

    /// What a link can say of a message: not its HTML and its attachments.
    public init(_ message: MailMessage) {
        self.init(to: message.to, cc: message.cc, bcc: message.bcc, subject: message.subject, body: message.text)
    }

    /// Reads a link. A prefix that stands there twice, as some programs write it, counts once.
    ///
    /// - Throws: ``MailError`` with `invalidMessage`, which names what is wrong.
    public init(parsing text: String) throws {
        var rest = text[...]
        guard text.utf8.count <= Self.longest, Self.dropPrefix(&rest) else {
            throw Self.invalid("'\(FieldText.shown(text))' is no mailto link of at most \(Self.longest) bytes")
        }
        while Self.dropPrefix(&rest) {}
        let parts = rest.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(to: try Self.addresses(parts.first ?? ""))
        for field in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count > 1 ? pair[1] : ""
            switch try Self.plain(pair[0]).lowercased() {
            case "to": to += try Self.addresses(value)
            case "cc": cc += try Self.addresses(value)
            case "bcc": bcc += try Self.addresses(value)
            case "subject":
                subject = try Self.plain(value)
                try FieldText.check(subject, of: "the subject of the link")
            case "body": body = try Self.plain(value).replacingOccurrences(of: "\r\n", with: "\n")
            default: continue
            }
        }
    }

    /// The link as text: `mailto:` once, everything that is not a letter, a digit or `-._~` escaped, line breaks as `%0D%0A`.
    public var text: String {
        func list(_ addresses: [MailAddress]) -> String {
            addresses.map { PercentText.escaped($0.address, keeping: "@") }.joined(separator: ",")
        }
        var fields: [String] = []
        if !cc.isEmpty { fields.append("cc=\(list(cc))") }
        if !bcc.isEmpty { fields.append("bcc=\(list(bcc))") }
        if !subject.isEmpty { fields.append("subject=\(PercentText.escaped(subject))") }
        if !body.isEmpty {
            let lines = body.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
            fields.append("body=\(PercentText.escaped(lines.replacingOccurrences(of: "\n", with: "\r\n")))")
        }
        return "mailto:\(list(to))" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }

    /// The link; nil only if Foundation takes it for none.
    public var url: URL? { URL(string: text) }

    /// A message with what the link says.
    public var message: MailMessage { MailMessage(to: to, cc: cc, bcc: bcc, subject: subject, text: body) }

    private static func dropPrefix(_ text: inout Substring) -> Bool {
        guard text.prefix(7).lowercased() == "mailto:" else { return false }
        text = text.dropFirst(7)
        return true
    }

    private static func addresses(_ text: Substring) throws -> [MailAddress] {
        try text.split(separator: ",").map { try MailAddress(address: plain($0).trimmingCharacters(in: .whitespaces)) }
    }

    /// Without the escapes; `+` is no space in these links.
    private static func plain(_ text: Substring) throws -> String {
        guard let plain = String(text).removingPercentEncoding else {
            throw invalid("'\(FieldText.shown(String(text)))' has an escape that is none, or is not UTF-8")
        }
        return plain
    }

    private static func invalid(_ reason: String) -> MailError {
        MailError(.invalidMessage, reason, hint: "write it as mailto:name@example.com?subject=Hello")
    }
}
