import CoreDataGraph

extension MailMessage {
    /// Writes the message as a file in the form of RFC 5322 and MIME (`.eml`), which mail programs open.
    ///
    /// The file has the fields Date and Message-ID and no Bcc. It is written beside its place and moved there when it is whole. Attachments
    /// that are files are read in blocks, so that memory does not depend on their size.
    ///
    /// - Parameter url: Where to; what is there is replaced.
    /// - Returns: The file with its envelope.
    /// - Throws: ``MailError``: `invalidMessage`, `unusableFile`, or `libraryMissing` where GMime is not installed.
    @discardableResult
    public func write(to url: URL) throws -> MailFile {
        try check()
        try MessageBuilder.requireLibrary()
        let identifier = Self.identifier(sender?.address ?? "")
        let partial = url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString.prefix(8))")
        let descriptor = open(partial.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(url, errno) }
        do {
            defer { close(descriptor) }
            try MessageBuilder(self, identifier: identifier).write(to: descriptor, at: url)
        } catch {
            unlink(partial.path)
            throw error
        }
        do {
            let file = try MailFile(
                partial, sender: sender?.address ?? "", recipients: recipients, identifier: identifier)
            guard rename(partial.path, url.path) == 0 else { throw Self.failure(url, errno) }
            return MailFile(file, at: url)
        } catch {
            unlink(partial.path)
            throw error
        }
    }

    /// An identifier that no other message has, with the sender's domain, as RFC 5322, 3.6.4 advises.
    private static func identifier(_ sender: String) -> String {
        let domain = sender.split(separator: "@").last.map(String.init) ?? "localhost"
        return "\(UUID().uuidString.lowercased())@\(domain)"
    }

    static func failure(_ url: URL, _ code: Int32) -> MailError {
        MailError(
            .unusableFile, "\(url.path) cannot be written: \(String(cString: strerror(code)))",
            hint: "see that the folder exists, may be written to and has space")
    }
}

extension MailFile {
    /// The same file after it was moved.
    init(_ file: MailFile, at url: URL) {
        (self.url, size, sender) = (url, file.size, file.sender)
        (recipients, identifier) = (file.recipients, file.identifier)
    }
}

extension MailMessage {
    /// Whether messages can be written here: GMime is installed.
    public static var canBeWritten: Bool { MessageBuilder.isLibraryThere }
}
