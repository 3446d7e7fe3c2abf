import CoreDataGraph

/// What is said to a server after the login: the envelope, then the message.
///
/// | step | on a refusal, or when the connection ends |
/// |---|---|
/// | MAIL, RCPT for each recipient | nothing was sent |
/// | DATA and the message's lines | nothing was sent: a server may not take what the last dot does not end |
/// | the last dot | unknown, until the reply is there |
struct SMTPConversation {
    private let connection: SMTPConnection
    private let server: SMTPServer

    init(_ connection: SMTPConnection, _ server: SMTPServer) { (self.connection, self.server) = (connection, server) }

    mutating func send(_ message: MailFile, willCommit: () throws -> Void) throws -> MailDelivery {
        // Asked before anything is opened: the message has grown if it is no longer as it was checked.
        let handle: FileHandle
        do { handle = try FileHandle(forReadingFrom: message.url) } catch {
            throw MessageScan.unusable(message.url, error)
        }
        defer { try? handle.close() }
        try begin(message)
        let (accepted, refused) = try nameRecipients(message.recipients)
        guard !accepted.isEmpty else {
            connection.quit()
            throw MailError.recipients(refused, accepted: [])
        }
        try expect(354, after: "DATA")
        do {
            try sendContent(of: handle, message)
            try connection.requireSilence()
            try willCommit()
        } catch let error as MailError where error.code == .connectionLost {
            // A server that refuses before the end says why, then closes.
            throw refusal(connection.lastWord(), "the message") ?? error
        }
        let reply = try commit()
        guard reply.isAccepted else {
            throw refusal(reply, "the message") ?? Self.unknown("it answered \(reply.code) \(reply.text)")
        }
        connection.quit()
        return MailDelivery(accepted: accepted, refused: refused, reply: "\(reply.code) \(reply.text)")
    }

    private func begin(_ message: MailFile) throws {
        var command = "MAIL FROM:<\(message.sender)>"
        if let largest = connection.greeting.largestSize {
            guard largest == 0 || message.size <= largest else {
                connection.quit()
                throw MailError(
                    .tooLarge, "the message has \(message.size) bytes, and \(server.name) takes at most \(largest)",
                    hint: "send less, or a link to the files")
            }
            command += " SIZE=\(message.size)"
        }
        let reply = try connection.ask(command)
        if let error = refusal(reply, "the sender \(message.sender)") {
            connection.quit()
            throw error
        }
    }

    /// The reply of each is looked at: libcurl's own "allow failures" would report success although some were refused.
    private func nameRecipients(_ recipients: [String]) throws -> (accepted: [String], refused: [RefusedRecipient]) {
        var (accepted, refused): ([String], [RefusedRecipient]) = ([], [])
        for address in recipients {
            let reply = try connection.ask("RCPT TO:<\(address)>")
            if reply.isAccepted {
                accepted.append(address)
            } else {
                refused.append(RefusedRecipient(address: address, code: reply.code, text: reply.text))
            }
        }
        return (accepted, refused)
    }

    private func expect(_ code: Int, after command: String) throws {
        let reply = try connection.ask(command)
        guard reply.code != code else { return }
        connection.quit()
        throw refusal(reply, "the message")
            ?? MailError(
                .refused, "\(server.name) answered \(reply.code) to \(command)", hint: "see that it is a mail server")
    }

    /// The lines of the message, each that begins with a dot with one more.
    private func sendContent(of handle: FileHandle, _ message: MailFile) throws {
        var stuffing = DotStuffing()
        var sent: Int64 = 0
        while true {
            let block: Data?
            do { block = try handle.read(upToCount: 65_536) } catch { throw MessageScan.unusable(message.url, error) }
            guard let block, !block.isEmpty else { break }
            sent += Int64(block.count)
            try connection.send(stuffing.stuffed(block))
        }
        guard sent == message.size, stuffing.isAtLineStart else {
            throw MailError(
                .unusableFile, "\(message.url.path) has changed since it was checked", hint: "write the message again")
        }
    }

    private func commit() throws -> SMTPReply {
        do {
            try connection.send(Array(".\r\n".utf8))
            return try connection.reply(within: server.finalTimeout)
        } catch { throw Self.unknown("\((error as? MailError)?.reason ?? "\(error)")") }
    }

    private static func unknown(_ why: String) -> MailError {
        MailError(
            .outcomeUnknown,
            "the message was handed over and may have been sent, but the server did not say so: \(why)",
            hint: "ask a recipient, or look into the server's log, before sending it again")
    }

    /// The error of a reply that refuses; nil for one that does not.
    private func refusal(_ reply: SMTPReply?, _ what: String) -> MailError? {
        guard let reply, !reply.isAccepted, reply.code >= 400 else { return nil }
        let text = "\(server.name) refused \(what): \(reply.code) \(reply.text)"
        switch reply.code {
        case 552, 523: return MailError(.tooLarge, text, hint: "send less, or a link to the files")
        case 530, 535: return MailError(.loginFailed, text, hint: "see that name and password are right")
        case ..<500: return MailError(.deferred, text, hint: "try again later")
        default: return MailError(.refused, text, hint: "see what the server says, and change the message")
        }
    }
}

/// Adds the dot that RFC 5321, 4.5.2 asks for to lines that begin with one.
struct DotStuffing {
    private(set) var isAtLineStart = true

    mutating func stuffed(_ block: Data) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(block.count + 64)
        for byte in block {
            if isAtLineStart, byte == UInt8(ascii: ".") { result.append(byte) }
            result.append(byte)
            isAtLineStart = byte == 10
        }
        return result
    }
}
