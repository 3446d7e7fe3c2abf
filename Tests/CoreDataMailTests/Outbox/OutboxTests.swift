import CoreData
import CoreDataMail
import Foundation
import TestBasics
import Testing

@Suite("An outbox", .enabled(if: MailMessage.canBeWritten, "\(MailLibrary.missing)"), .timeLimit(.minutes(2)))
struct OutboxTests {
    private let folder: TemporaryFolder
    private let transport = RecordingTransport()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func outbox(_ backOff: BackOff = BackOff(), keeps: Bool = false) throws -> Outbox {
        try Outbox(folder: folder.url, transport: transport, backOff: backOff, keepsSentMessages: keeps)
    }

    private let offline = MailError.transport(.unreachable, "no network")

    @Test("MSG-03, MSG-09: a message that is put in is sent once, and the record shows what was sent")
    func sending() throws {
        let outbox = try outbox()
        let item = try outbox.add(try Sample.message("bob@example.com", "carol@example.com"), at: start)
        #expect(
            item.state == .queued && item.pending.count == 2 && item.subject == "Greetings"
                && item.sender == "anne@example.org")
        #expect(FileManager.default.fileExists(atPath: item.file.path))
        #expect(try outbox.drain(at: start.addingTimeInterval(-1)).sent.isEmpty)
        #expect(try outbox.drain(at: start).sent == [item.id])
        #expect(try outbox.drain(at: start.addingTimeInterval(1_000_000)).sent.isEmpty)
        let sent = try #require(try outbox.item(item.id))
        #expect(sent.state == .sent && sent.accepted == ["bob@example.com", "carol@example.com"] && sent.attempts == 1)
        #expect(!FileManager.default.fileExists(atPath: item.file.path))
        #expect(transport.records.count == 1)
        #expect(try ReadMail(transport.records[0].data).subject == "Greetings")
    }

    @Test("MSG-03: offline messages wait longer and longer, and are given up after days")
    func backOff() throws {
        let outbox = try outbox(BackOff(first: 60, longest: 600, givesUpAfter: 3_600))
        let item = try outbox.add(try Sample.message("bob@example.com"), at: start)
        transport.fail(with: offline)
        var (date, waits): (Date, [TimeInterval]) = (start, [])
        while try outbox.item(item.id)?.state == .queued, waits.count < 50 {
            let run = try outbox.drain(at: date)
            guard let next = run.nextAttempt else { break }
            waits.append(next.timeIntervalSince(date))
            #expect(try outbox.drain(at: next.addingTimeInterval(-1)).deferred.isEmpty)
            date = next
        }
        #expect(waits.prefix(5) == [60, 120, 240, 480, 600] && waits.allSatisfy { $0 <= 600 })
        let failed = try #require(try outbox.item(item.id))
        #expect(failed.state == .failed && failed.lastError?.contains("no network") == true)
        #expect(FileManager.default.fileExists(atPath: failed.file.path))
        // A person tries again.
        transport.fail(with: nil)
        try outbox.retry(item.id, at: date)
        #expect(try outbox.drain(at: date).sent == [item.id])
    }

    @Test(
        "MSG-03: a recipient refused for good is named, one refused for now is tried again alone, the rest gets it once"
    )
    func partialRefusal() throws {
        let outbox = try outbox()
        transport.refuse("gone@example.com")
        transport.refuse("busy@example.com", code: 450, text: "later\nplease")
        let item = try outbox.add(
            try Sample.message("gone@example.com", "bob@example.com", "busy@example.com"), at: start)
        #expect(try outbox.drain(at: start).deferred == [item.id])
        var now = try #require(try outbox.item(item.id))
        #expect(now.accepted == ["bob@example.com"] && now.pending == ["busy@example.com"] && now.state == .queued)
        transport.refuse("busy@example.com", code: 0)
        #expect(try outbox.drain(at: now.nextAttempt).failed == [item.id])
        now = try #require(try outbox.item(item.id))
        #expect(
            now.state == .failed && now.refused.map(\.address) == ["gone@example.com"] && now.refused[0].code == 550)
        #expect(now.accepted == ["bob@example.com", "busy@example.com"])
        #expect(transport.records.map(\.recipients) == [["bob@example.com"], ["busy@example.com"]])
        // Tried again, only the one who has not got it is asked for.
        transport.refuse("gone@example.com", code: 0)
        try outbox.retry(item.id, at: start)
        #expect(try outbox.drain(at: start).sent == [item.id])
        #expect(transport.records.last?.recipients == ["gone@example.com"] && transport.records.count == 3)
    }

    @Test("MSG-03: an unknown outcome stays unknown until a person decides")
    func unknownOutcome() throws {
        let outbox = try outbox()
        transport.failAfterCommit(with: .transport(.outcomeUnknown, "no answer"))
        let item = try outbox.add(try Sample.message("bob@example.com"), at: start)
        #expect(try outbox.drain(at: start).unknown == [item.id])
        let later = try outbox.drain(at: start.addingTimeInterval(100_000))
        #expect(later.sent.isEmpty && later.nextAttempt == nil)
        #expect(transport.attempts == 1)
        transport.failAfterCommit(with: nil)
        try outbox.retry(item.id, at: start)
        #expect(try outbox.drain(at: start).sent == [item.id])
    }

    @Test("MSG-03: messages are taken back, removed and refused at the right times")
    func editing() throws {
        let outbox = try outbox(keeps: true)
        let (first, second) = (
            try outbox.add(try Sample.message("a@b.c"), at: start),
            try outbox.add(try Sample.message("d@e.f"), at: start)
        )
        try outbox.cancel(first.id)
        #expect(try outbox.drain(at: start).sent == [second.id])
        #expect(throws: MailError.self) { try outbox.cancel(second.id) }
        #expect(throws: MailError.self) { try outbox.retry(second.id) }
        #expect(throws: MailError.self) { try outbox.cancel(UUID()) }
        #expect(FileManager.default.fileExists(atPath: second.file.path))
        try outbox.remove(second.id)
        #expect(try !FileManager.default.fileExists(atPath: second.file.path) && outbox.items().map(\.id) == [first.id])
        #expect(try outbox.item(first.id)?.state == .cancelled)
    }

    @Test("MSG-03: what is being sent cannot be taken back, and a second outbox of the folder does not send it too")
    func concurrency() throws {
        struct Asking: MailTransport {
            let ask: @Sendable (MailFile) throws -> Void
            var canSend: Bool { true }
            func deliver(_ message: MailFile, willCommit: () throws -> Void) throws -> MailDelivery {
                try ask(message)
                try willCommit()
                return MailDelivery(accepted: message.recipients)
            }
        }
        let other = try outbox()
        let asking = try Outbox(
            folder: folder.url,
            transport: Asking { _ in
                let id = try #require(try other.items().first?.id)
                #expect(throws: MailError.self) { try other.cancel(id) }
                #expect(throws: MailError.self) { try other.remove(id) }
                #expect(try other.drain().wasBusy)
            })
        _ = try other.add(try Sample.message("bob@example.com"))
        #expect(try asking.drain().sent.count == 1 && transport.attempts == 0)
    }

    @Test("MSG-03: a file that is gone fails its message and no other")
    func missingFiles() throws {
        let outbox = try outbox()
        let (first, second) = (
            try outbox.add(try Sample.message("a@b.c"), at: start),
            try outbox.add(try Sample.message("d@e.f"), at: start)
        )
        try FileManager.default.removeItem(at: first.file)
        let run = try outbox.drain(at: start)
        #expect(run.failed == [first.id] && run.sent == [second.id])
        #expect(try outbox.item(first.id)?.lastError?.contains("cannot be read") == true)
    }

    @Test("MSG-03: nothing is tried while no transport is set up, and bad messages are not put in")
    func refusals() throws {
        let outbox = try outbox()
        transport.canSend = false
        _ = try outbox.add(try Sample.message("a@b.c"), at: start)
        #expect(try outbox.drain(at: start).nextAttempt == start && transport.attempts == 0)
        var bad = try Sample.message("a@b.c")
        bad.subject = "a\r\nb"
        #expect(throws: MailError.self) { try outbox.add(bad) }
        #expect(try outbox.items().count == 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("Messages").path)
                .count == 1)
    }

    @Test("MSG-03: an outbox that runs by itself sends what is put in")
    func runningByItself() async throws {
        let outbox = try outbox()
        outbox.start(every: 0.1)
        let item = try outbox.add(try Sample.message("bob@example.com"))
        await eventually("the message") { (try? outbox.item(item.id)?.state) == .sent }
        outbox.stop()
        #expect(transport.records.count == 1)
    }

    @Test("MSG-03: the outbox is a Core Data store that other programs open")
    func store() throws {
        let outbox = try outbox()
        _ = try outbox.add(try Sample.message("bob@example.com"), at: start)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Outbox.managedObjectModel)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: outbox.storeURL, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Message"))
            #expect(all.map { $0.value(forKey: "subject") as? String } == ["Greetings"])
        }
    }
}
