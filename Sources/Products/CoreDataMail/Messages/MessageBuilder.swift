import CGMime
import CoreDataGraph

/// Builds a message by GMime, from a message that was checked.
///
/// The library adds neither Date nor Message-ID and writes what it is given, line breaks included; all of that is done or refused before.
struct MessageBuilder {
    private let message: MailMessage
    private let identifier: String

    init(_ message: MailMessage, identifier: String) { (self.message, self.identifier) = (message, identifier) }

    /// Whether the library is there.
    static var isLibraryThere: Bool { cgmime_load() != 0 }

    /// - Throws: ``MailError`` with `libraryMissing`, which names the package.
    static func requireLibrary() throws {
        guard !isLibraryThere else { return }
        throw MailError(
            .libraryMissing,
            "messages are written by GMime, which cannot be opened: \(String(cString: cgmime_load_error()))",
            hint: "install it: 'Scripts/bootstrap kinds', or 'apt-get install libgmime-3.0-0'")
    }

    /// Writes the message into an open file; `url` is its place for errors.
    func write(to descriptor: Int32, at url: URL) throws {
        guard let object = cgmime_message_new() else { throw Self.outOfMemory() }
        defer { cgmime_message_free(object) }
        setHead(of: object)
        cgmime_message_set_content(object, try content().handedOver())
        guard cgmime_message_write(object, descriptor) >= 0 else { throw MailMessage.failure(url, errno) }
        // In base64 four bytes stand for three; less means that an attachment could not be read to its end. What the library returns
        // counts the bytes before they are encoded.
        let attached = message.attachments.reduce(0) { $0 + ($1.size ?? 0) }
        guard lseek(descriptor, 0, SEEK_END) >= attached / 3 * 4 else {
            throw MailError(
                .unusableFile, "an attachment was not read to its end while \(url.path) was written",
                hint: "see that no other program changes it, and write the message again")
        }
    }

    private func setHead(of object: OpaquePointer) {
        // With the zone, by English names, whatever the language of the process.
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, d MMM yyyy HH:mm:ss Z"
        format.timeZone = .current
        cgmime_message_set_field(object, "Date", format.string(from: message.date ?? Date()))
        cgmime_message_set_identifier(object, identifier)
        cgmime_message_set_subject(object, message.subject)
        func add(_ addresses: [MailAddress], _ role: cgmime_role) {
            for address in addresses { cgmime_message_add_address(object, role, address.name, address.address) }
        }
        add(message.sender.map { [$0] } ?? [], cgmime_from)
        add(message.replyTo.map { [$0] } ?? [], cgmime_reply_to)
        add(message.to, cgmime_to)
        add(message.cc, cgmime_cc)
        // RFC 5322 wants a field of recipients in old readers' eyes; an empty group says that they are not shown.
        if message.to.isEmpty, message.cc.isEmpty {
            cgmime_message_set_field(object, "To", "undisclosed-recipients:;")
        }
    }

    /// The parts in each other: alternatives of the text, pictures of the HTML beside it, attachments beside all.
    private func content() throws -> MessagePart {
        let pictures = message.html == nil ? [] : message.attachments.filter { $0.contentID != nil }
        let others = message.attachments.filter { !pictures.contains($0) }
        let body = try together([try bodyPart()] + pictures.map(AttachmentPart.make), "related")
        return try together([body] + others.map(AttachmentPart.make), "mixed")
    }

    private func bodyPart() throws -> MessagePart {
        guard let html = message.html else { return try textPart(message.text, "plain") }
        guard !message.text.isEmpty else { return try textPart(html, "html") }
        return try together([textPart(message.text, "plain"), textPart(html, "html")], "alternative")
    }

    private func together(_ parts: [MessagePart], _ subtype: String) throws -> MessagePart {
        guard parts.count > 1 else { return parts[0] }
        let whole = try MessagePart(cgmime_part_with_parts(subtype))
        for part in parts { cgmime_part_add(whole.pointer, part.handedOver()) }
        return whole
    }

    private func textPart(_ text: String, _ subtype: String) throws -> MessagePart {
        let body = BodyText(text)
        let part = try MessagePart(
            body.content.withUnsafeBytes {
                cgmime_part_with_bytes("text", subtype, $0.baseAddress, $0.count, body.encoding)
            })
        cgmime_part_set_parameter(part.pointer, "charset", body.charset)
        return part
    }

    static func outOfMemory() -> MailError {
        MailError(.unusableFile, "GMime made no part of a message", hint: "see how much memory the process has")
    }
}
