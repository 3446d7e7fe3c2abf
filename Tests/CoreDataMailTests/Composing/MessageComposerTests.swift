import CoreDataMail
import Foundation
import TestBasics
import TestServers
import Testing
import UniformTypeIdentifiers

@Suite("Dialogs for text messages and posts", .serialized, .timeLimit(.minutes(2)))
struct MessageComposerTests {
    private let queue = DispatchQueue(label: "delegate")

    private func composer(_ gateway: (any MessageGateway)?) -> MFMessageComposeViewController {
        let composer = MFMessageComposeViewController(gateway: gateway, queue: queue)
        composer.recipients = ["+49 30 1234"]
        composer.body = "I took a picture + 1 & more"
        return composer
    }

    @Test("MSG-05, SAMPLE-16: sent, cancelled and failed, once each")
    func results() async throws {
        let gateway = RecordingGateway()
        let sent = composer(gateway)
        sent.subject = "Picture"
        #expect(sent.addAttachmentData(Data([1, 2]), typeIdentifier: "public.png", filename: "image.png"))
        sent.send()
        sent.cancel()
        #expect(await sent.outcome.result == .sent)
        #expect(
            gateway.messages.map(\.recipients) == [["+49 30 1234"]]
                && gateway.messages[0].attachments.map(\.type) == [.png])
        let cancelled = composer(gateway)
        cancelled.cancel()
        cancelled.send()
        #expect(await cancelled.outcome.result == .cancelled)
        gateway.fail(with: .transport(.unreachable, "no network"))
        let failed = composer(gateway)
        failed.send()
        #expect(await failed.outcome.result == .failed)
        #expect((await failed.outcome.error as? MailError)?.code == .unreachable)
        #expect(gateway.messages.count == 1)
    }

    @Test("MSG-05: attachments by their types, as the gateway takes them")
    func attachmentTypes() throws {
        let gateway = RecordingGateway(supportsSubject: false, attachmentTypes: [.image])
        MFMessageComposeViewController.gateway = gateway
        defer { MFMessageComposeViewController.gateway = nil }
        #expect(MFMessageComposeViewController.canSendText() && !MFMessageComposeViewController.canSendSubject())
        #expect(MFMessageComposeViewController.canSendAttachments())
        #expect(MFMessageComposeViewController.isSupportedAttachmentUTI("public.jpeg"))
        #expect(MFMessageComposeViewController.isSupportedAttachmentUTI("public.png"))
        #expect(!MFMessageComposeViewController.isSupportedAttachmentUTI("com.adobe.pdf"))
        #expect(!MFMessageComposeViewController.isSupportedAttachmentUTI("no.such.type"))
        let composer = composer(gateway)
        #expect(!composer.addAttachmentData(Data([1]), typeIdentifier: "com.adobe.pdf", filename: "a.pdf"))
        let folder = try TemporaryFolder()
        // A JPEG by its bytes.
        let file = folder.url.appendingPathComponent("picture.dat")
        try Data([0xFF, 0xD8, 0xFF, 0xE0]).write(to: file)
        #expect(composer.addAttachmentURL(file, withAlternateFilename: "picture.jpg"))
        #expect(!composer.addAttachmentURL(folder.url.appendingPathComponent("none.png")))
        #expect(composer.attachments.map(\.name) == ["picture.jpg"] && composer.attachments[0].type == .jpeg)
        composer.disableUserAttachments()
        #expect(!composer.addAttachmentURL(file))
        gateway.canSend = false
        #expect(
            !MFMessageComposeViewController.canSendText()
                && !MFMessageComposeViewController.isSupportedAttachmentUTI("public.jpeg"))
        MFMessageComposeViewController.gateway = nil
        #expect(!MFMessageComposeViewController.canSendText())
    }

    @Test("MSG-05: a message arrives at a gateway over HTTP as it wants it: form, parts and JSON")
    func gatewayOverHTTP() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(201, text: "{\"id\": 1}") }
        var service = HTTPService(
            url: server.url("/messages"), fields: ["recipients": "To", "body": "Body"], constants: ["From": "+1"],
            headers: ["Authorization": "Bearer secret"])
        let form = composer(HTTPMessageGateway(service))
        form.recipients = ["+49 1", "+49 2"]
        form.subject = "left out: the gateway takes none"
        form.send()
        #expect(await form.outcome.result == .sent)
        var request = try #require(server.requests.last)
        #expect(
            request.method == "POST" && request.path == "/messages" && request.field("Authorization") == "Bearer secret"
        )
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "To=%2B49%201&To=%2B49%202&Body=I%20took%20a%20picture%20%2B%201%20%26%20more&From=%2B1")
        service.format = .json
        let json = composer(HTTPMessageGateway(service, supportsSubject: true, attachmentTypes: [.image]))
        json.subject = "Picture"
        json.addAttachmentData(Data([1, 2, 3]), typeIdentifier: "public.jpeg", filename: "a.jpg")
        json.send()
        #expect(await json.outcome.result == .sent)
        request = try #require(server.requests.last)
        let object = try #require(try JSONSerialization.jsonObject(with: request.body) as? [String: Any])
        #expect(object["To"] as? [String] == ["+49 30 1234"] && object["subject"] as? String == "Picture")
        let files = try #require(object["file"] as? [[String: String]])
        #expect(files == [["name": "a.jpg", "type": "image/jpeg", "data": "AQID"]])
        service.format = .form
        let parts = composer(HTTPMessageGateway(service, attachmentTypes: [.image]))
        parts.addAttachmentData(Data([1, 2, 3]), typeIdentifier: "public.jpeg", filename: "a.jpg")
        parts.send()
        #expect(await parts.outcome.result == .sent)
        request = try #require(server.requests.last)
        #expect(request.field("Content-Type")?.hasPrefix("multipart/form-data") == true)
        #expect(
            request.body.range(
                of: Data("filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n\u{1}\u{2}\u{3}\r\n".utf8)) != nil)
        #expect(server.requests.count == 3)
    }

    @Test(
        "MSG-05: what a gateway refuses, or leaves open, is said, and sent once",
        arguments: [
            (400, MailError.Code.refused), (401, .loginFailed), (413, .tooLarge), (429, .deferred),
            (500, .outcomeUnknown),
            (302, .refused), (0, .outcomeUnknown),
        ])
    func gatewayFailures(status: Int, code: MailError.Code) async throws {
        let server = try ScriptedServer { _, reply in
            if status == 0 { return reply.close() }
            try reply.respond(status, status == 302 ? ["Location: /elsewhere"] : [], text: "no such number")
        }
        let composer = composer(HTTPMessageGateway(HTTPService(url: server.url("/"))))
        composer.send()
        let error = await composer.outcome.error as? MailError
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(server.requests.count == 1)
    }

    @Test("MSG-05: bad messages, and gateways without an address of the web, fail")
    func badInput() async throws {
        let gateway = RecordingGateway()
        for recipients in [nil, [""], ["a\nb"], [String(repeating: "1", count: 300)]] as [[String]?] {
            let composer = composer(gateway)
            composer.recipients = recipients
            composer.send()
            #expect((await composer.outcome.error as? MailError)?.code == .invalidMessage)
        }
        #expect(gateway.messages.isEmpty)
        let none = composer(nil)
        none.send()
        #expect((await none.outcome.error as? MailError)?.code == .notConfigured)
        let url = try #require(URL(string: "file:///etc/passwd"))
        #expect(!HTTPMessageGateway(HTTPService(url: url)).canSend)
    }

    @Test("MSG-08: text, pictures and links are posted to a service; Done or Cancelled comes once")
    func posting() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(200, text: "ok") }
        let type = "org.example.service"
        #expect(
            SLComposeViewController(forServiceType: type) == nil
                && !SLComposeViewController.isAvailable(forServiceType: type))
        ServiceAdapters.register(
            HTTPServiceAdapter(
                serviceType: type, title: "Example",
                service: HTTPService(url: server.url("/posts"), fields: ["body": "status"]), longestText: 20))
        defer { ServiceAdapters.remove(type) }
        #expect(SLComposeViewController.isAvailable(forServiceType: type))
        let post = try #require(SLComposeViewController(forServiceType: type, queue: queue))
        let calls = Counter()
        post.onFinish { _ in calls.add() }
        #expect(!post.setInitialText(String(repeating: "x", count: 21)) && post.setInitialText("Grüße"))
        #expect(!post.add(SharedFile(name: "a.pdf", type: .pdf, data: Data([1]))))
        #expect(post.add(SharedFile(name: "a.png", type: .png, data: Data([1]))))
        #expect(post.add(try #require(URL(string: "https://example.org/?a=b"))))
        post.post()
        post.cancel()
        #expect(await post.outcome.result == .done)
        post.cancel()
        queue.sync {}
        #expect(calls.value == 1 && server.requests.count == 1)
        let body = String(decoding: server.requests[0].body, as: UTF8.self)
        #expect(
            body.contains("name=\"status\"\r\n\r\nGrüße\r\n") && body.contains("https://example.org/?a=b")
                && body.contains("image/png"))
        let cancelled = try #require(SLComposeViewController(forServiceType: type, queue: queue))
        cancelled.cancel()
        cancelled.post()
        #expect(await cancelled.outcome.result == .cancelled)
        #expect(await cancelled.outcome.error == nil)
        let empty = try #require(SLComposeViewController(forServiceType: type, queue: queue))
        empty.post()
        #expect((await empty.outcome.error as? MailError)?.code == .invalidMessage)
        server.stop()
        let failed = try #require(SLComposeViewController(forServiceType: type, queue: queue))
        failed.setInitialText("x")
        failed.post()
        #expect(await failed.outcome.result == .cancelled)
        #expect(await failed.outcome.error != nil)
        #expect(server.requests.count == 1)
    }
}

/// Counts calls.
final class Counter: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var count = 0

    var value: Int { lock.withLock { count } }

    func add() { lock.withLock { count += 1 } }
}
