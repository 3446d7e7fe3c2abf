import CoreDataMail
import Foundation
import Synchronization
import TestBasics
import Testing

@testable import MailPicSample

/// The examples MailPic and MessageImage: a picture that is taken, and sent or shared.
@MainActor
@Suite(.enabled(if: MailMessage.canBeWritten, "libgmime-3.0-0 is not installed"))
struct MailPicTests {
    private let folder: TemporaryFolder
    private nonisolated static let png =
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 400)

    init() throws { folder = try TemporaryFolder() }

    private func source() -> PictureSource { PictureSource { Self.png } }

    private func account(_ transport: RecordingTransport, _ outbox: Outbox? = nil) throws -> MailAccount {
        MailAccount(sender: try MailAddress("me@example.org"), transport: transport, outbox: outbox)
    }

    @Test("a picture of the camera, else of the library, is cut and sent as image/png (SAMPLE-16, MSG-01)")
    func pictureIsSent() async throws {
        let mailbox = RecordingTransport()
        let used = Mutex<[String]>([])
        var source = PictureSource {
            used.withLock { $0.append("library") }
            return Self.png
        }
        source.crop = { picture in
            used.withLock { $0.append("crop") }
            return picture.prefix(100)
        }
        let app = MailPic(source, account: try account(mailbox))
        let dialog = try #require(await app.go())
        let message = try dialog.message()
        #expect(message.subject == "Here's a picture..." && message.attachments.count == 1)
        dialog.setToRecipients(["ann@example.org"])
        dialog.send()
        await app.finish(dialog)
        #expect(app.label == "Mail sent" && app.picture?.count == 100)
        let text = String(decoding: try #require(mailbox.records.first).data, as: UTF8.self)
        #expect(text.contains("image/png") && text.contains("image"))
        var camera = source
        camera.camera = {
            used.withLock { $0.append("camera") }
            return nil
        }
        #expect(await MailPic(camera, account: try account(mailbox)).go() == nil)
        #expect(used.withLock { $0 } == ["library", "crop", "camera"])
    }

    @Test("each end has its label, and without an account there is another (SAMPLE-16, MSG-02, MSG-03)")
    func endsHaveLabels() async throws {
        let mailbox = RecordingTransport()
        let outbox = try Outbox(folder: folder.url.appendingPathComponent("outbox"), transport: mailbox)
        func label(_ outbox: Outbox?, _ end: (MFMailComposeViewController) -> Void) async throws -> String? {
            let app = MailPic(source(), account: try account(mailbox, outbox))
            let dialog = try #require(await app.go())
            dialog.setToRecipients(["ann@example.org"])
            end(dialog)
            await app.finish(dialog)
            return app.label
        }
        #expect(try await label(nil) { $0.cancel() } == "Canceled")
        #expect(try await label(outbox) { $0.save() } == "Saved to send later")
        #expect(try await label(nil) { $0.send() } == "Mail sent")
        mailbox.refuse("ann@example.org")
        #expect(try await label(nil) { $0.send() } == "Send failed")
        let without = MailPic(source(), account: nil)
        #expect(await without.go() == nil && without.label == "Can't send e-mail")
    }

    @Test(
        "a picture is shared with its text after the first dialog, and the end is confirmed (SAMPLE-16, MSG-05, MSG-07)"
    )
    func pictureIsShared() async throws {
        let gateway = RecordingGateway()
        var environment = ShareEnvironment()
        environment.gateway = gateway
        environment.account = try account(RecordingTransport())
        environment.keepsPictureOrigin = true
        let app = MessageImage(source(), environment: environment)
        let sheet = try #require(await app.go())
        #expect(sheet.activities.compactMap(\.activityType).contains(.message))
        let activity = try #require(sheet.perform(.message))
        let dialog = try #require(activity.activityViewController as? MFMessageComposeViewController)
        #expect(dialog.body == MessageImage.text && dialog.attachments.count == 1)
        dialog.recipients = ["+49 30 901820"]
        dialog.send()
        _ = await dialog.outcome
        await eventually("the end is confirmed") { app.confirmation == "Shared" }
        #expect(gateway.messages.count == 1)

        let other = MessageImage(source(), environment: environment)
        let second = try #require(await other.go())
        second.dismiss()
        await eventually("nothing was shared") { other.confirmation == "Not shared" }
        let failing = MessageImage(source(), environment: environment)
        gateway.fail(with: .transport(.unreachable, "no gateway"))
        let third = try #require(await failing.go())
        let message = try #require(third.perform(.message)?.activityViewController as? MFMessageComposeViewController)
        message.recipients = ["+49 30 901820"]
        message.send()
        await eventually("the failure is said") { failing.confirmation?.hasPrefix("Not shared: ") == true }
    }
}
