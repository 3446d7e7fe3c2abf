import CoreDataGraph

/// A message as it goes over the wire, in a file (`.eml`), with the envelope: who sends it and who gets it, which the file does not say.
public struct MailFile: Sendable, Hashable {
    /// The file, in the form of RFC 5322, with CR LF.
    public let url: URL
    /// Its size in bytes.
    public let size: Int64
    /// The address to which errors go.
    public let sender: String
    /// The addresses that get it.
    public let recipients: [String]
    /// The message's identifier, without angle brackets; nil for a file that was not written here.
    public let identifier: String?

    /// A file that exists, checked as it will be sent.
    ///
    /// - Throws: ``MailError``: `unusableFile` if it cannot be read, `invalidMessage` if it has bytes or lines that servers refuse, or if
    ///   an address is not valid.
    public init(contentsOf url: URL, sender: String, recipients: [String]) throws {
        try self.init(url, sender: sender, recipients: recipients, identifier: nil)
    }

    init(_ url: URL, sender: String, recipients: [String], identifier: String?) throws {
        for address in [sender] + recipients { try MailAddress.check(address) }
        guard !recipients.isEmpty else {
            throw MailError(.invalidMessage, "the message has no recipient", hint: "name one")
        }
        size = try MessageScan.check(url)
        (self.url, self.sender, self.recipients, self.identifier) = (url, sender, recipients, identifier)
    }

    /// The same for other recipients.
    func addressed(to recipients: [String]) throws -> MailFile {
        try MailFile(url, sender: sender, recipients: recipients, identifier: identifier)
    }
}
