import CoreDataMail
import CoreDataTesting
import Foundation
import TestBasics
import TestServers
import Testing

@Suite(.enabled(if: MailMessage.canBeWritten, "GMime is missing: apt-get install libgmime-3.0-0"))
struct MailServerTests {
    private func message(to recipients: [String] = ["ben@example.org"], text: String = "Hello") throws -> MailMessage {
        try MailMessage(
            sender: MailAddress("anna@example.org"), to: recipients.map { try MailAddress($0) },
            subject: "News", text: text)
    }

    private func transport(_ server: ScriptedMailServer) -> SMTPTransport {
        var address = SMTPServer(host: "127.0.0.1", port: server.port, security: .none)
        (address.connectTimeout, address.replyTimeout, address.finalTimeout) = (10, 10, 10)
        return SMTPTransport(address)
    }

    private func send(_ message: MailMessage, _ server: ScriptedMailServer) throws -> MailDelivery {
        let folder = try TemporaryFolder()
        return try transport(server).deliver(try message.write(to: folder.url.appendingPathComponent("message.eml")))
    }

    @Test("a mail server keeps what it gets, with lines that begin with a dot (TEST-03)")
    func mailServerKeepsMessages() throws {
        let server = try ScriptedMailServer()
        let delivery = try send(try message(text: "one\n.two\n..three"), server)
        #expect(delivery.accepted == ["ben@example.org"])
        let kept = try #require(server.messages.first)
        #expect(kept.sender == "anna@example.org" && kept.recipients == ["ben@example.org"])
        #expect(kept.field("Subject") == "News")
        #expect(String(decoding: kept.data, as: UTF8.self).contains("one\r\n.two\r\n..three"))
        #expect(server.commands.last == "QUIT")
    }

    @Test("refused recipients, refused messages and closed connections are the client's errors (TEST-03)")
    func faultsAreErrorsOfClient() throws {
        let server = try ScriptedMailServer()
        server.faults = [.refuse("eve@example.org", reply: "550 5.1.1 no such mailbox")]
        let delivery = try send(try message(to: ["ben@example.org", "eve@example.org"]), server)
        #expect(delivery.accepted == ["ben@example.org"] && delivery.refused.map(\.code) == [550])
        server.faults = [.reply("451 4.3.0 later", to: "DATA")]
        #expect(throws: MailError.self) { try send(try message(), server) }
        server.faults = [.close(on: ".")]
        let error = #expect(throws: MailError.self) { try send(try message(), server) }
        #expect(error?.code == .outcomeUnknown)
        #expect(server.messages.count == 1)
    }

    @Test("an outbox with a recording transport sends when the clock of the test says so (TEST-03)")
    func outboxSendsByClockOfTest() throws {
        let (folder, transport, clock) = (try TemporaryFolder(), RecordingTransport(), TestClock())
        let outbox = try Outbox(folder: folder.url, transport: transport)
        _ = try outbox.add(try message(), at: clock.date)
        transport.canSend = false
        _ = try outbox.drain(at: clock.date)
        #expect(transport.records.isEmpty)
        transport.canSend = true
        clock.advance(by: .seconds(86_400))
        _ = try outbox.drain(at: clock.date)
        #expect(transport.records.map(\.recipients) == [["ben@example.org"]])
    }
}
