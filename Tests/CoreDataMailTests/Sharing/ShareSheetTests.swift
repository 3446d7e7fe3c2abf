import CoreData
import CoreDataMail
import Foundation
import TestBasics
import Testing
import UniformTypeIdentifiers

@Suite("Share sheets", .serialized, .timeLimit(.minutes(2)))
struct ShareSheetTests {
    private let fixture: SheetFixture

    init() throws { fixture = try SheetFixture() }

    @Test(
        "MSG-07: actions are those that can do something with the items, and that are set up",
        .enabled(if: MailMessage.canBeWritten))
    func filtering() throws {
        var environment = try fixture.environment()
        try fixture.context.performAndWait {
            let (contact, meeting) = (
                fixture.object("Contact", ["name": "Anne", "email": "a@b.c"]),
                fixture.object("Meeting", ["title": "Plan", "start": Date()])
            )
            let book = fixture.object("Book", ["title": "Tea"])
            #expect(fixture.types(["text"], environment) == [.mail, .message])
            #expect(fixture.types([Data([0xFF, 0xD8, 0xFF])], environment) == [.mail, .message])
            #expect(fixture.types([Data("%PDF-1.7".utf8)], environment) == [.mail])
            #expect(fixture.types([contact], environment) == [.mail, .message, .json, .vCard])
            #expect(fixture.types([meeting], environment) == [.mail, .message, .json, .calendar])
            #expect(fixture.types([book, contact], environment) == [.mail, .message, .json, .vCard])
            #expect(fixture.types([], environment).isEmpty && fixture.types([NSObject()], environment).isEmpty)
            (environment.copy, environment.print) = ({ _ in }, { _ in })
            environment.folder = FileManager.default.temporaryDirectory
            #expect(fixture.types(["text"], environment) == [.mail, .message, .copyToPasteboard, .print, .saveToFiles])
            #expect(
                fixture.types([Data([0x50, 0x4B, 3, 4])], environment) == [.mail, .copyToPasteboard, .saveToFiles])
            #expect(
                fixture.types(["text"], environment, excluding: [.mail, .print]) == [
                    .message, .copyToPasteboard, .saveToFiles,
                ])
            fixture.transport.canSend = false
            fixture.gateway.canSend = false
            #expect(fixture.types(["text"], environment) == [.copyToPasteboard, .print, .saveToFiles])
            let picture = try #require(Data(base64Encoded: "/9j/"))
            #expect(
                fixture.types([SharedFile(name: "a", type: .jpeg, data: picture)], environment) == [
                    .copyToPasteboard, .print, .saveToFiles,
                ])
        }
    }

    @Test(
        "MSG-07: mail: text, pictures and objects are in the dialog, whose end is the sheet's",
        .enabled(if: MailMessage.canBeWritten))
    func mail() async throws {
        let environment = try fixture.environment()
        let dialog: MFMailComposeViewController = try fixture.context.performAndWait {
            let contact = fixture.object("Contact", ["name": "Anne, M.", "email": "a@b.c"])
            let url = try #require(URL(string: "https://example.org/?a=b"))
            let sheet = UIActivityViewController(activityItems: ["Look", url, contact], environment: environment)
            sheet.completionWithItemsHandler = fixture.ends.handler
            let activity = try #require(sheet.perform(.mail))
            // Only the first choice counts.
            #expect(sheet.perform(.message) == nil)
            sheet.dismiss()
            return try #require(activity.activityViewController as? MFMailComposeViewController)
        }
        #expect(fixture.ends.all.isEmpty)
        dialog.setToRecipients(["bob@example.com"])
        dialog.send()
        _ = await dialog.outcome
        fixture.queue.sync {}
        await eventually("the end") { fixture.ends.all.count == 1 }
        #expect(fixture.ends.all[0].completed && fixture.ends.all[0].type == .mail && fixture.ends.all[0].error == nil)
        let read = try ReadMail(fixture.transport.records[0].data)
        #expect(
            read.subject == "Anne, M." && read.parts.map(\.name).compactMap { $0 } == ["Anne, M..vcf", "Anne, M..json"])
        #expect(
            read.parts.first { $0.type == "text/plain" }?.text?.hasPrefix(
                "Look\r\n\r\nhttps://example.org/?a=b\r\n\r\nemail: a@b.c") == true)
        #expect(read.parts.map(\.type).contains("text/vcard"))
    }

    @Test(
        "MSG-07: a dialog given up, or released, ends the sheet as not completed, once",
        .enabled(if: MailMessage.canBeWritten))
    func givenUp() async throws {
        let environment = try fixture.environment()
        do {
            let sheet = UIActivityViewController(activityItems: ["a"], environment: environment)
            sheet.completionWithItemsHandler = fixture.ends.handler
            let dialog = try #require(sheet.perform(.mail)?.activityViewController as? MFMailComposeViewController)
            dialog.cancel()
            dialog.send()
        }
        await eventually("the first end") { fixture.ends.all.count == 1 }
        do {
            let sheet = UIActivityViewController(activityItems: ["a"], environment: environment)
            sheet.completionWithItemsHandler = fixture.ends.handler
            #expect(sheet.perform(.message) != nil)
        }
        await eventually("the second end") { fixture.ends.all.count == 2 }
        do {
            let sheet = UIActivityViewController(activityItems: ["a"], environment: environment)
            sheet.completionWithItemsHandler = fixture.ends.handler
        }
        await eventually("the third end") { fixture.ends.all.count == 3 }
        let sheet = UIActivityViewController(activityItems: ["a"], environment: environment)
        sheet.completionWithItemsHandler = fixture.ends.handler
        sheet.dismiss()
        sheet.dismiss()
        #expect(sheet.perform(.mail) == nil)
        fixture.queue.sync {}
        #expect(fixture.ends.all.count == 4 && fixture.ends.all.allSatisfy { !$0.completed })
        #expect(fixture.ends.all.map(\.type) == [.mail, .message, nil, nil])
    }

    @Test("MSG-07: objects as JSON, cards and calendars; items saved under names of their own")
    func files() throws {
        let folder = try TemporaryFolder()
        var environment = try fixture.environment()
        environment.folder = folder.url
        func perform(_ type: UIActivity.ActivityType, _ items: [Any]) throws -> [Any] {
            let sheet = UIActivityViewController(activityItems: items, environment: environment)
            sheet.completionWithItemsHandler = fixture.ends.handler
            #expect(sheet.perform(type) != nil)
            fixture.queue.sync {}
            let end = try #require(fixture.ends.all.last)
            #expect(end.completed && end.type == type, "\(String(describing: end.error))")
            return end.items ?? []
        }
        try fixture.context.performAndWait {
            let book = fixture.object(
                "Book", ["title": "Tea \"1\"/2\n", "pages": 3, "price": 0.1, "cover": Data([1, 2]), "isRead": true])
            let json = try #require(try perform(.json, [book]).first as? SharedFile)
            let read = try #require(try JSONSerialization.jsonObject(with: json.data) as? [String: Any])
            #expect(
                read["title"] as? String == "Tea \"1\"/2\n" && read["pages"] as? Int == 3
                    && read["price"] as? Double == 0.1)
            #expect(read["cover"] as? String == "AQI=" && read["isRead"] as? Bool == true && read.count == 5)
            #expect(json.name == "Tea \"1\"-2.json" && json.type == .json)
            #expect(String(decoding: json.data, as: UTF8.self).contains("\"price\": 0.1"))
            let contacts = [
                fixture.object("Contact", ["name": "Anne", "email": "a@b.c"]),
                fixture.object("Contact", ["name": "Bob", "email": "b@b.c"]),
            ]
            let cards = try #require(try perform(.vCard, contacts + [book]).first as? SharedFile)
            #expect(String(decoding: cards.data, as: UTF8.self).components(separatedBy: "BEGIN:VCARD").count == 3)
            let meeting = fixture.object(
                "Meeting", ["title": "Plan", "start": Date(timeIntervalSince1970: 1_790_000_000), "room": "1"])
            let calendar = try #require(try perform(.calendar, [meeting]).first as? SharedFile)
            #expect(
                String(decoding: calendar.data, as: UTF8.self).contains("DTSTART:20260921T141320Z")
                    && calendar.name == "Plan.ics")
            let hostile = SharedFile(name: "../../.hidden/..\u{0}x.png", type: .png, data: Data("no picture".utf8))
            let saved = try perform(.saveToFiles, ["text", "text", hostile, book]).compactMap { $0 as? URL }
            #expect(
                saved.map(\.lastPathComponent) == ["text.txt", "text 2.txt", "-..-.hidden-..x.png", "Tea \"1\"-2.json"])
            #expect(saved.allSatisfy { $0.deletingLastPathComponent().path == folder.url.path })
            #expect(try String(contentsOf: saved[1], encoding: .utf8) == "text")
        }
    }
}
