import CoreDataMail
import Foundation
import TestBasics
import Testing

@Suite("Sending to a real server", .enabled(if: MailServer.isThere, "\(MailServer.missing)"), .timeLimit(.minutes(2)))
struct SMTPTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func code(_ body: () throws -> Void) -> MailError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? MailError)?.code }
    }

    @Test("MSG-01, MSG-03: a message arrives as it was written, byte by byte, dots and all")
    func plainDelivery() throws {
        let server = try MailServer("good", ["plain"])
        var message = try Sample.message("bob@example.com", "carol@example.com")
        message.bcc = [try MailAddress("hidden@example.net")]
        let file = try Sample.file(message, in: folder)
        let delivery = try SMTPTransport(server.address()).deliver(file)
        #expect(delivery.accepted == file.recipients && delivery.refused.isEmpty && delivery.error == nil)
        #expect(delivery.reply.hasPrefix("250 2.0.0 queued as 4711"))
        let got = try #require(try server.messages().first)
        #expect(got.sender == "anne@example.org" && got.recipients == file.recipients)
        #expect(got.data == (try Data(contentsOf: file.url)))
        #expect(try ReadMail(got.data).parts[0].text == "Hello.\r\n.\r\n..two\r\n")
        #expect(try server.messages().count == 1)
    }

    @Test("MSG-01: STARTTLS and login, and TLS from the first byte")
    func encryption() throws {
        let certificate = try ServerCertificate()
        let file = try Sample.file(try Sample.message("bob@example.com"), in: folder)
        for (kind, security) in [("starttls", SMTPServer.Security.startTLS), ("tls", .tls)] {
            let server = try MailServer("good", [kind] + certificate.options + ["login"])
            var address = server.address(security, login: true)
            // Nothing trusts the certificate yet.
            #expect(code { try SMTPTransport(address).deliver(file) } == .insecureConnection)
            address.certificateAuthorities = certificate.certificate
            #expect(try SMTPTransport(address).check() == 50_000_000)
            #expect(try SMTPTransport(address).deliver(file).accepted == ["bob@example.com"])
            address.credentials = .password(user: "anne", password: "wrong")
            #expect(code { try SMTPTransport(address).deliver(file) } == .loginFailed)
            address.credentials = nil
            #expect(code { try SMTPTransport(address).deliver(file) } == .loginFailed)
            #expect(try server.messages().count == 1)
        }
    }

    @Test("MSG-03: where a server offers no encryption or no login that was asked for, nothing is sent")
    func demands() throws {
        let server = try MailServer("good", ["plain"])
        let file = try Sample.file(try Sample.message("bob@example.com"), in: folder)
        #expect(code { try SMTPTransport(server.address(.startTLS)).deliver(file) } == .insecureConnection)
        #expect(code { try SMTPTransport(server.address(.tls)).deliver(file) } == .insecureConnection)
        #expect(code { try SMTPTransport(server.address(.none, login: true)).deliver(file) } == .loginFailed)
        var far = server.address(.none, login: true)
        far.host = "mail.example.com"
        #expect(code { try SMTPTransport(far).deliver(file) } == .insecureConnection)
        #expect(try server.messages().isEmpty)
        // By default encryption is asked for.
        #expect(SMTPServer(host: "localhost").security == .startTLS && SMTPServer(host: "localhost").port == 587)
    }

    @Test("MSG-03: of two recipients one is refused: the error names it, the other gets the message once")
    func oneRefusedRecipient() throws {
        let server = try MailServer("good", ["plain"])
        let file = try Sample.file(
            try Sample.message("refused@example.com", "bob@example.com", "later@example.com"), in: folder)
        let delivery = try SMTPTransport(server.address()).deliver(file)
        #expect(delivery.accepted == ["bob@example.com"])
        #expect(delivery.refused.map(\.code) == [550, 450] && delivery.refused.map(\.isTemporary) == [false, true])
        let error = try #require(delivery.error)
        #expect(error.code == .recipientsRefused && error.reason.contains("refused@example.com: 550"))
        #expect(try server.messages().map(\.recipients) == [["bob@example.com"]])
        let all = try Sample.file(try Sample.message("refused@example.com"), in: folder)
        #expect(code { try SMTPTransport(server.address()).deliver(all) } == .recipientsRefused)
        #expect(try server.messages().count == 1)
    }

    @Test("MSG-01: the size is asked first: a message of 100 MB is not even begun")
    func sizeIsAskedFirst() throws {
        let server = try MailServer("good", ["plain", "size=33000000"])
        let picture = folder.url.appendingPathComponent("large.bin")
        try Data().write(to: picture)
        let handle = try FileHandle(forWritingTo: picture)
        try handle.truncate(atOffset: 100_000_000)
        try handle.close()
        var message = try Sample.message("bob@example.com")
        message.attachments = [try MailAttachment(contentsOf: picture)]
        let file = try Sample.file(message, in: folder)
        var commits = 0
        do {
            _ = try SMTPTransport(server.address()).deliver(file) { commits += 1 }
            Issue.record("a message of \(file.size) bytes was accepted")
        } catch let error as MailError {
            #expect(error.code == .tooLarge && error.reason.contains("33000000") && !error.isTemporary)
        }
        #expect(try commits == 0 && server.messages().isEmpty)
    }

    @Test("MSG-01: a file that changed after it was checked, or is gone, is not sent")
    func changedFiles() throws {
        let server = try MailServer("good", ["plain"])
        let file = try Sample.file(try Sample.message("bob@example.com"), in: folder)
        let handle = try FileHandle(forWritingTo: file.url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("more\r\n".utf8))
        try handle.close()
        #expect(code { try SMTPTransport(server.address()).deliver(file) } == .unusableFile)
        try FileManager.default.removeItem(at: file.url)
        #expect(code { try SMTPTransport(server.address()).deliver(file) } == .unusableFile)
        #expect(try server.messages().isEmpty)
    }

    @Test("MSG-03: what the program throws before the last step stops the message")
    func stoppedBeforeCommit() throws {
        let server = try MailServer("good", ["plain"])
        let file = try Sample.file(try Sample.message("bob@example.com"), in: folder)
        #expect(throws: CocoaError.self) {
            try SMTPTransport(server.address()).deliver(file) { throw CocoaError(.userCancelled) }
        }
        #expect(try server.messages().isEmpty)
        try SMTPTransport(server.address()).deliver(file)
        #expect(try server.messages().count == 1)
    }

    @Test(
        "MSG-02: a server whose name or port can be none cannot send",
        arguments: [
            ("", 25), ("a/b", 25), ("a b", 25), ("a@b", 25), ("h\r\nQUIT", 25), ("mail.example.com", 0),
            ("mail.example.com", 70_000),
        ])
    func badServers(host: String, port: Int) throws {
        let transport = SMTPTransport(SMTPServer(host: host, port: port))
        #expect(!transport.canSend)
        #expect(code { try transport.check() } == .notConfigured)
        #expect(
            SMTPTransport(SMTPServer(host: "::1")).canSend
                && SMTPTransport(SMTPServer(host: "mail.example.com")).canSend)
    }
}
