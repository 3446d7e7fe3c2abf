import CoreDataMail
import Foundation
import TestBasics
import Testing

@Suite(
    "Sending to servers that fail", .enabled(if: MailServer.isThere, "\(MailServer.missing)"), .timeLimit(.minutes(2)))
struct FaultyServerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Sends a message of 200 KB to a server with a fault; returns the error, whether the last step was begun, and what the server took.
    private func send(
        to fault: String, security: SMTPServer.Security = .none, login: Bool = false, lines: Int = 4_000,
        wait: TimeInterval = 1.5
    ) throws -> (error: MailError?, committed: Bool, arrived: Int) {
        let server = try MailServer(fault)
        var address = server.address(security, login: login)
        (address.connectTimeout, address.replyTimeout, address.finalTimeout) = (wait, wait, wait)
        let text = String(repeating: "A line of sixty bytes or so, which is sent many times.\n", count: lines)
        let file = try Sample.file(try Sample.message("bob@example.com", text: text), in: folder)
        var committed = false
        do {
            _ = try SMTPTransport(address).deliver(file) { committed = true }
            return (nil, committed, try server.messages().count)
        } catch { return (error as? MailError, committed, try server.messages().count) }
    }

    @Test(
        "MSG-03: a server that stalls, drips or says nonsense is given up in time, with nothing sent",
        arguments: [
            ("stalls-at-once", MailError.Code.unreachable), ("stalls-at-mail", .connectionLost),
            ("garbage", .connectionLost),
            ("stops-reading", .connectionLost), ("drips", .unreachable), ("no-mail", .unreachable),
            ("busy", .unreachable),
            ("floods", .unreachable),
        ])
    func stallingServers(fault: String, expected: MailError.Code) throws {
        // What nothing reads must not fit into the buffers of the connection.
        let result = try send(to: fault, lines: fault == "stops-reading" ? 300_000 : 4_000)
        #expect(result.error?.code == expected && result.error?.isTemporary == true, "\(result)")
        #expect(!result.committed && result.arrived == 0)
    }

    @Test(
        "MSG-03: a connection that drops within the message has sent nothing; the server's reason is reported if there is one"
    )
    func droppedData() throws {
        let dropped = try send(to: "drops-in-data")
        #expect(dropped.error?.code == .connectionLost && !dropped.committed && dropped.arrived == 0, "\(dropped)")
        // More than the buffers of the connection have room for: the message cannot be written whole before the reason is seen.
        let reason = try send(to: "says-why", lines: 300_000)
        #expect(reason.error?.code == .tooLarge && reason.error?.reason.contains("mailbox full") == true, "\(reason)")
        #expect(!reason.committed && reason.arrived == 0)
    }

    @Test(
        "MSG-03: a connection that ends, or stalls, after the whole message: said to be unknown",
        arguments: ["drops-after-dot", "stalls-after-dot"])
    func unknownOutcome(fault: String) throws {
        let result = try send(to: fault)
        #expect(
            result.error?.code == .outcomeUnknown && result.error?.isTemporary == false && result.committed, "\(result)"
        )
        // It was sent indeed, which the sender cannot know.
        #expect(result.arrived == 1)
    }

    @Test("MSG-03: servers that offer what they then refuse")
    func lyingServers() throws {
        let encryption = try send(to: "lies-starttls", security: .startTLS)
        #expect(encryption.error?.code == .insecureConnection && encryption.arrived == 0, "\(encryption)")
        let login = try send(to: "lies-login", login: true)
        #expect(login.error?.code == .loginFailed && login.arrived == 0, "\(login)")
        let size = try send(to: "lies-size")
        #expect(size.error?.code == .tooLarge && !size.committed, "\(size)")
        let late = try send(to: "lies-size-late")
        #expect(late.error?.code == .tooLarge && late.committed && late.arrived == 0, "\(late)")
        let huge = try send(to: "huge-size")
        #expect(huge.error == nil && huge.arrived == 1, "\(huge)")
    }

    @Test("MSG-03: nothing listens there, or the name does not exist")
    func unreachableServers() throws {
        let file = try Sample.file(try Sample.message("bob@example.com"), in: folder)
        var server = SMTPServer(host: "127.0.0.1", port: 1, security: .none)
        for host in ["127.0.0.1", "no-such-host.invalid"] {
            server.host = host
            #expect { try SMTPTransport(server).deliver(file) } throws: {
                ($0 as? MailError)?.code == .unreachable && ($0 as? MailError)?.isTemporary == true
            }
        }
    }
}
