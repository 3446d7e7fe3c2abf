import CoreDataMail
import Foundation
import TestBasics
import Testing

@Suite(
    "Dialogs for mail", .serialized, .enabled(if: MailMessage.canBeWritten, "\(MailLibrary.missing)"),
    .timeLimit(.minutes(2)))
struct MailComposerTests {
    /// What a delegate was called with.
    private final class Recorder: MFMailComposeViewControllerDelegate {
        private let lock = NSLock()
        nonisolated(unsafe) private var all: [(MFMailComposeResult, (any Error)?)] = []

        var results: [MFMailComposeResult] { lock.withLock { all.map(\.0) } }

        func mailComposeController(
            _ controller: MFMailComposeViewController, didFinishWith result: MFMailComposeResult, error: (any Error)?
        ) {
            lock.withLock { all.append((result, error)) }
        }
    }

    private let transport = RecordingTransport()
    private let folder: TemporaryFolder
    private let outbox: Outbox
    private let queue = DispatchQueue(label: "delegate")
    private let recorder = Recorder()

    init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(folder: folder.url, transport: transport)
    }

    private func account(withOutbox: Bool = true) throws -> MailAccount {
        MailAccount(
            sender: try MailAddress("Anne <anne@example.org>"), transport: transport, outbox: withOutbox ? outbox : nil)
    }

    private func composer(withOutbox: Bool = true) throws -> MFMailComposeViewController {
        let composer = MFMailComposeViewController(account: try account(withOutbox: withOutbox), queue: queue)
        composer.mailComposeDelegate = recorder
        composer.setSubject("Here's a picture...")
        composer.setToRecipients(["Bob <bob@example.com>"])
        composer.setMessageBody("I took a picture.", isHTML: false)
        composer.addAttachmentData(Data([0x89, 0x50, 0x4E, 0x47]), mimeType: "image/png", fileName: "image")
        return composer
    }

    private func result(_ outcome: MFMailComposeViewController.Outcome) -> (MFMailComposeResult, MailError.Code?) {
        (outcome.result, (outcome.error as? MailError)?.code)
    }

    @Test("MSG-03, SAMPLE-16: sent: the delegate is called once, whatever is called afterwards")
    func sent() async throws {
        let composer = try composer()
        composer.send()
        composer.send()
        composer.cancel()
        #expect(await result(composer.outcome) == (.sent, nil))
        composer.save()
        composer.cancel()
        queue.sync {}
        #expect(recorder.results == [.sent] && composer.isFinished && transport.records.count == 1)
        let read = try ReadMail(transport.records[0].data)
        #expect(read.subject == "Here's a picture..." && read.from == [["Anne", "anne@example.org"]])
        #expect(read.parts.last?.type == "image/png" && read.parts.last?.name == "image" && read.parts.last?.size == 4)
        #expect(try outbox.items().isEmpty)
    }

    @Test("MSG-03, SAMPLE-16: cancelled, by the person or by releasing the dialog")
    func cancelled() async throws {
        let composer = try composer()
        composer.cancel()
        composer.send()
        #expect(await result(composer.outcome) == (.cancelled, nil))
        queue.sync {}
        #expect(recorder.results == [.cancelled] && transport.attempts == 0)
        let released = Locking()
        do {
            let dialog = MFMailComposeViewController(account: nil, queue: queue)
            dialog.onFinish { released.add($0.result) }
        }
        queue.sync {}
        #expect(released.all == [.cancelled])
    }

    @Test("MSG-03, SAMPLE-16: saved: kept in the outbox by the person, or because the network is down, and sent later")
    func saved() async throws {
        let composer = try composer()
        composer.save()
        #expect(await result(composer.outcome) == (.saved, nil))
        transport.fail(with: .transport(.unreachable, "no network"))
        let second = try self.composer()
        second.send()
        #expect(await result(second.outcome) == (.saved, .unreachable))
        queue.sync {}
        #expect(recorder.results == [.saved, .saved])
        transport.fail(with: nil)
        #expect(try outbox.items().count == 2 && outbox.drain().sent.count == 2 && transport.records.count == 2)
    }

    @Test("MSG-03, SAMPLE-16: failed: with the error, and never sent in secret")
    func failed() async throws {
        let cases: [(MailError?, MailError.Code)] = [
            (.transport(.refused, "no"), .refused), (.transport(.tooLarge, "no"), .tooLarge),
            (.transport(.loginFailed, "no"), .loginFailed),
        ]
        for (error, code) in cases {
            transport.fail(with: error)
            let composer = try composer()
            composer.send()
            #expect(await result(composer.outcome) == (.failed, code))
        }
        transport.fail(with: .transport(.unreachable, "no network"))
        let alone = try composer(withOutbox: false)
        alone.send()
        #expect(await result(alone.outcome) == (.failed, .unreachable))
        let keeping = try composer(withOutbox: false)
        keeping.save()
        #expect(await result(keeping.outcome) == (.failed, .notConfigured))
        transport.fail(with: nil)
        transport.failAfterCommit(with: .transport(.outcomeUnknown, "no answer"))
        let unknown = try composer()
        unknown.send()
        #expect(await result(unknown.outcome) == (.failed, .outcomeUnknown))
        #expect(try outbox.items().isEmpty && transport.records.isEmpty)
    }

    @Test("MSG-03: one of two recipients refused: failed, naming the address, and the other has got it once")
    func partlyRefused() async throws {
        transport.refuse("gone@example.com")
        let composer = try composer()
        composer.setToRecipients(["gone@example.com", "bob@example.com"])
        composer.send()
        let outcome = await composer.outcome
        #expect(
            outcome.result == .failed && (outcome.error as? MailError)?.refused.map(\.address) == ["gone@example.com"])
        #expect(transport.records.map(\.recipients) == [["bob@example.com"]])
        #expect(try outbox.items().isEmpty)
    }

    @Test("MSG-03: a bad address or subject fails, and the dialog closes")
    func badInput() async throws {
        for change in [
            { $0.setToRecipients(["no address"]) }, { $0.setSubject("a\r\nBcc: eve@example.com") },
            { $0.setToRecipients(nil) },
        ]
            as [(MFMailComposeViewController) -> Void]
        {
            let composer = try composer()
            change(composer)
            composer.send()
            #expect(await result(composer.outcome) == (.failed, .invalidMessage))
        }
        #expect(transport.attempts == 0)
    }

    @Test("MSG-02: without an account, or with one that cannot send, nothing is offered")
    func canSend() async throws {
        MailAccount.current = nil
        #expect(!MFMailComposeViewController.canSendMail())
        let composer = MFMailComposeViewController(queue: queue)
        composer.setToRecipients(["bob@example.com"])
        composer.setPreferredSendingEmailAddress("a@example.org")
        composer.send()
        #expect(await result(composer.outcome) == (.failed, .notConfigured))
        MailAccount.current = try account()
        #expect(MFMailComposeViewController.canSendMail())
        transport.canSend = false
        #expect(!MFMailComposeViewController.canSendMail())
        MailAccount.current = nil
    }

    @Test("MSG-03: many that end one dialog at a time call the handler once")
    func races() async throws {
        for _ in 0..<50 {
            let composer = try composer()
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<6 {
                    group.addTask { if index % 2 == 0 { composer.send() } else { composer.cancel() } }
                }
            }
            _ = await composer.outcome
        }
        queue.sync {}
        #expect(recorder.results.count == 50)
        #expect(transport.records.count == recorder.results.filter { $0 == .sent }.count)
    }

    @Test("MSG-01: a body in HTML, copies and a preferred sender")
    func details() async throws {
        let composer = try composer()
        composer.setMessageBody("<b>Hi</b>", isHTML: true)
        composer.setCcRecipients(["carol@example.com"])
        composer.setBccRecipients(["hidden@example.com"])
        composer.setPreferredSendingEmailAddress("other@example.org")
        composer.send()
        #expect(await composer.outcome.result == .sent)
        let read = try ReadMail(transport.records[0].data)
        #expect(read.from == [["", "other@example.org"]] && read.cc == [["", "carol@example.com"]])
        #expect(read.parts.contains { $0.type == "text/html" } && transport.records[0].recipients.count == 3)
    }
}

/// Results of handlers.
final class Locking: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var results: [MFMailComposeResult] = []

    var all: [MFMailComposeResult] { lock.withLock { results } }

    func add(_ result: MFMailComposeResult) { lock.withLock { results.append(result) } }
}
