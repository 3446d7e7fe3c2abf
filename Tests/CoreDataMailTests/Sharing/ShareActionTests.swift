import CoreData
import CoreDataMail
import Foundation
import TestBasics
import TestServers
import Testing
import UniformTypeIdentifiers

@Suite("Actions of share sheets", .serialized, .timeLimit(.minutes(2)))
struct ShareActionTests {
    private let fixture: SheetFixture

    init() throws { fixture = try SheetFixture() }

    @Test("MSG-07: items differ per action, and own actions are offered after the others")
    func sourcesAndOwnActions() throws {
        final class Source: UIActivityItemSource {
            func activityViewControllerPlaceholderItem(_ activityViewController: UIActivityViewController) -> Any {
                "placeholder"
            }
            func activityViewController(
                _ activityViewController: UIActivityViewController,
                itemForActivityType activityType: UIActivity.ActivityType?
            ) -> Any? {
                switch activityType {
                case .message?: "short"
                case .saveToFiles?: nil
                default: "long text"
                }
            }
            func activityViewController(
                _ activityViewController: UIActivityViewController,
                subjectForActivityType activityType: UIActivity.ActivityType?
            ) -> String { "Subject" }
        }
        final class Own: UIActivity, @unchecked Sendable {
            private(set) var items: [Any] = []
            override var activityType: ActivityType? { ActivityType(rawValue: "org.example.own") }
            override func canPerform(withActivityItems activityItems: [Any]) -> Bool {
                activityItems.contains { $0 is String }
            }
            override func prepare(withActivityItems activityItems: [Any]) { items = activityItems }
            override func perform() {
                activityDidFinish(true)
                activityDidFinish(false)
            }
        }
        let (own, environment) = (Own(), try fixture.environment())
        let sheet = UIActivityViewController(
            activityItems: [Source()], applicationActivities: [own], environment: environment)
        sheet.completionWithItemsHandler = fixture.ends.handler
        #expect(sheet.activities.last === own)
        #expect(sheet.perform(own) && own.items as? [String] == ["long text"])
        fixture.queue.sync {}
        #expect(fixture.ends.all.count == 1 && fixture.ends.all[0].completed)
        let second = UIActivityViewController(activityItems: [Source()], environment: environment)
        let dialog = try #require(second.perform(.message)?.activityViewController as? MFMessageComposeViewController)
        #expect(dialog.body == "short" && dialog.subject == "Subject")
        let numbers = UIActivityViewController(
            activityItems: [1], applicationActivities: [own], environment: environment)
        #expect(numbers.activities.isEmpty)
    }

    @Test(
        "MSG-08: a sheet posts text, link and picture to a service, without the picture's place",
        .enabled(if: TestPictures.isThere))
    func posting() async throws {
        let pictures = try TestPictures()
        let server = try ScriptedServer { _, reply in try reply.respond(200, text: "ok") }
        let service = HTTPServiceAdapter(
            serviceType: "org.example.post", title: "Example", service: HTTPService(url: server.url("/")),
            longestText: 10)
        var environment = try fixture.environment(services: [service])
        let file = pictures.folder.url.appendingPathComponent("a.jpg")
        let text = "A text that is too long"
        for keeps in [false, true] {
            environment.keepsPictureOrigin = keeps
            let sheet = UIActivityViewController(activityItems: [text, file], environment: environment)
            sheet.completionWithItemsHandler = fixture.ends.handler
            let dialog = try #require(
                sheet.perform(.post("org.example.post"))?.activityViewController as? SLComposeViewController)
            #expect(dialog.content.text == "A text tha" && dialog.content.files.map(\.name) == ["a.jpg"])
            dialog.post()
            #expect(await dialog.outcome.result == .done)
            let body = try #require(server.requests.last).body
            #expect((body.range(of: Data("SecretCamera".utf8)) != nil) == keeps)
        }
        await eventually("both ends") { fixture.ends.all.count == 2 }
        #expect(fixture.ends.all.allSatisfy { $0.completed && $0.type == .post("org.example.post") })
        // What cannot be cleaned is not shared in secret.
        environment.keepsPictureOrigin = false
        let tiff = SharedFile(name: "a.tiff", type: .tiff, data: Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]))
        let sheet = UIActivityViewController(activityItems: [tiff], environment: environment)
        sheet.completionWithItemsHandler = fixture.ends.handler
        #expect(sheet.perform(.post("org.example.post")) != nil)
        await eventually("the refusal") { fixture.ends.all.count == 3 }
        #expect(!fixture.ends.all[2].completed && (fixture.ends.all[2].error as? MailError)?.code == .invalidMessage)
        #expect(server.requests.count == 2)
    }

    @Test("MSG-07: copying and printing get the items; what they throw is reported")
    func copying() throws {
        var environment = try fixture.environment()
        let copied = Counter()
        environment.copy = { items in
            #expect(items == [.text("a")])
            copied.add()
        }
        environment.print = { _ in throw CocoaError(.userCancelled) }
        for type in [UIActivity.ActivityType.copyToPasteboard, .print] {
            let sheet = UIActivityViewController(activityItems: ["a"], environment: environment)
            sheet.completionWithItemsHandler = fixture.ends.handler
            sheet.perform(type)
        }
        fixture.queue.sync {}
        #expect(
            copied.value == 1 && fixture.ends.all.map(\.completed) == [true, false]
                && fixture.ends.all[1].error is CocoaError)
    }
}
