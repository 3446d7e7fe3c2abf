import CoreDataMail
import Foundation
import TestBasics
import Testing

@Suite(
    "Mail in processes of their own", .enabled(if: MailServer.isThere, "\(MailServer.missing)"), .timeLimit(.minutes(3))
)
struct MailProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("MSG-01: a message with an attachment of 20 MB is written and sent in at most 64 MB of memory")
    func memory() throws {
        let server = try MailServer("good", ["plain"])
        let attachment = folder.url.appendingPathComponent("film.mp4")
        var random = SeededRandom(seed: TestSeed.first)
        var bytes = Data(capacity: 20_000_000)
        while bytes.count < 20_000_000 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
        try bytes.write(to: attachment)
        let child = try Child(["send", folder.url.path, "\(server.port)", attachment.path], of: Child.url("MailChild"))
        let numbers = (child.line() ?? "").split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 4)
        #expect(numbers[0] == 1 && numbers[1] > 27_000_000)
        #expect(numbers[3] <= 64 * 1_024, "KiB before and at most: \(numbers[2]), \(numbers[3])")
        let message = try #require(try server.messages().first)
        let part = try #require(try ReadMail(message.data).parts.last)
        #expect(part.size == 20_000_000 && part.type == "application/octet-stream" || part.type == "video/mp4")
    }

    @Test("MSG-03: a process killed while it hands a message over leaves it unknown, and nothing is sent twice")
    func killedWhileCommitting() throws {
        let server = try MailServer("stalls-after-dot")
        let outbox = try Outbox(folder: folder.url, transport: RecordingTransport())
        let item = try outbox.add(try Sample.message("bob@example.com"))
        let child = try Child(["drain", folder.url.path, "\(server.port)"], of: Child.url("MailChild"))
        #expect(child.line() == "open")
        #expect(server.line() == "message 1")
        // Another process sends: this one does not.
        #expect(try outbox.drain().wasBusy)
        #expect(try outbox.item(item.id)?.state == .committing)
        child.kill()
        #expect(try outbox.drain().unknown == [item.id])
        #expect(try outbox.item(item.id)?.state == .unknown && server.messages().count == 1)
    }

    @Test("MSG-03: a process killed before leaves the message to be sent")
    func killedBeforeCommitting() async throws {
        let server = try MailServer("stalls-at-mail")
        let transport = RecordingTransport()
        let outbox = try Outbox(folder: folder.url, transport: transport)
        let item = try outbox.add(try Sample.message("bob@example.com"))
        let child = try Child(["drain", folder.url.path, "\(server.port)"], of: Child.url("MailChild"))
        #expect(child.line() == "open")
        await eventually("the claim") { (try? outbox.item(item.id)?.state) == .sending }
        child.kill()
        #expect(try outbox.drain().sent == [item.id] && transport.records.count == 1)
    }

    @Test("MSG-02: without GMime the error names the package, and nothing is offered")
    func missingLibrary() throws {
        let libraries = folder.url.appendingPathComponent("lib")
        try FileManager.default.createDirectory(at: libraries, withIntermediateDirectories: true)
        // The loader takes this file for the library, and refuses it.
        try Data("no library".utf8).write(to: libraries.appendingPathComponent("libgmime-3.0.so.0"))
        let child = try Child(
            ["write", folder.url.appendingPathComponent("a.eml").path], of: Child.url("MailChild"),
            environment: ["LD_LIBRARY_PATH": libraries.path])
        let line = child.line() ?? ""
        #expect(
            line.hasPrefix("false ") && line.contains("libgmime-3.0-0") && line.contains("Scripts/bootstrap kinds"),
            "\(line)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("a.eml").path))
    }
}
