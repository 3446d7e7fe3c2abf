import CoreDataMail
import Foundation
import TestBasics
import Testing
import UniformTypeIdentifiers

@Suite("Messages as files", .enabled(if: MailMessage.canBeWritten, "\(MailLibrary.missing)"))
struct MessageTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.url.appendingPathComponent("message.eml") }

    init() throws { folder = try TemporaryFolder() }

    private func message(_ subject: String = "Hello", text: String = "Hello.") throws -> MailMessage {
        MailMessage(
            sender: try MailAddress(name: "Änne Müller", address: "anne@example.org"),
            to: [try MailAddress("Bob <bob@example.com>")], subject: subject, text: text)
    }

    @Test("MSG-01: fields, text, HTML, pictures and attachments are read as they were given")
    func wholeMessage() throws {
        var message = try message("Grüße – 你好 \u{1F4F7}", text: "Grüße\nzweite Zeile\n")
        message.cc = [try MailAddress(name: "Carol, \"C\"", address: "carol@example.com")]
        message.bcc = [try MailAddress("hidden@example.net")]
        message.replyTo = try MailAddress("answers@example.org")
        message.html = "<p>Grüße <img src='cid:logo'></p>"
        message.date = Date(timeIntervalSince1970: 1_700_000_000)
        let picture = Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        message.attachments = [
            MailAttachment(data: picture, mimeType: "image/png", fileName: "logo.png", contentID: "logo"),
            MailAttachment(data: picture, mimeType: "image/jpeg", fileName: "Übersicht 1.jpg"),
            MailAttachment(data: Data(), mimeType: "text/plain", fileName: "empty.txt"),
        ]
        let written = try message.write(to: file)
        let read = try ReadMail(file)
        #expect(read.defects.isEmpty && read.bareBreaks == 0 && read.highBytes == 0 && read.longestLine <= 998)
        #expect(read.subject == message.subject)
        #expect(read.from == [["Änne Müller", "anne@example.org"]] && read.to == [["Bob", "bob@example.com"]])
        #expect(read.cc == [["Carol, \"C\"", "carol@example.com"]] && read.replyTo == [["", "answers@example.org"]])
        #expect(read.time == 1_700_000_000)
        #expect(
            read.identifier == written.identifier.map { "<\($0)>" }
                && read.identifier?.hasSuffix("@example.org>") == true)
        // Blind copies are in the envelope and nowhere in the file.
        #expect(written.recipients == ["bob@example.com", "carol@example.com", "hidden@example.net"])
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("hidden"))
        #expect(
            read.parts.map(\.type) == [
                "multipart/mixed", "multipart/related", "multipart/alternative", "text/plain", "text/html", "image/png",
                "image/jpeg", "text/plain",
            ])
        #expect(read.parts[3].text == "Grüße\r\nzweite Zeile\r\n" && read.parts[4].text?.hasPrefix("<p>Grüße") == true)
        #expect(read.parts[5].disposition == "inline" && read.parts[5].identifier == "<logo>")
        #expect(read.parts[6].disposition == "attachment" && read.parts[6].name == "Übersicht 1.jpg")
        #expect(read.parts[5].digest == read.parts[6].digest && read.parts[6].size == 3_000 && read.parts[7].size == 0)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == ["message.eml"])
        #expect(written.size == (try Data(contentsOf: file)).count)
    }

    @Test("MSG-01: an attachment of a file is read back byte by byte, and its type is recognized")
    func fileAttachment() throws {
        var random = SeededRandom(seed: TestSeed.first)
        let bytes =
            Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data((0..<777_777).map { _ in UInt8.random(in: 0...255, using: &random) })
        let picture = folder.url.appendingPathComponent("wrong.png")
        try bytes.write(to: picture)
        for attachment in [
            try MailAttachment(contentsOf: picture), MailAttachment(data: bytes, fileName: "a/b/wrong.png"),
        ] {
            var message = try self.message()
            message.attachments = [attachment]
            try message.write(to: file)
            let part = try #require(try ReadMail(file).parts.last)
            #expect(part.type == "image/jpeg" && part.name == "wrong.png" && part.size == bytes.count)
            let blocks = try String(contentsOf: file, encoding: .ascii).components(separatedBy: "\r\n\r\n")
            let encoded = try #require(blocks.max { $0.utf8.count < $1.utf8.count })
            #expect(Data(base64Encoded: encoded, options: .ignoreUnknownCharacters) == bytes)
        }
    }

    @Test(
        "MSG-01: lines of any length, letter and ending become lines that every server takes",
        arguments: [
            String(repeating: "word ", count: 500), String(repeating: "x", count: 2_500), "a\r\nb\rc\nd\r\r\n\n",
            ".\n..\nFrom me\n", "trailing   \n\ttab", "", "\u{0}\u{7}bell", String(repeating: "漢字", count: 2_000),
            "Zeile mit ä " + String(repeating: "y", count: 3_000),
        ])
    func texts(text: String) throws {
        try message(text: text).write(to: file)
        let read = try ReadMail(file)
        #expect(read.bareBreaks == 0 && read.highBytes == 0 && read.longestLine <= 78 && read.defects.isEmpty)
        var expected = text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
        if !expected.hasSuffix("\n") { expected += "\n" }
        #expect(read.parts.last?.text?.replacingOccurrences(of: "\r\n", with: "\n") == expected)
    }

    @Test(
        "MSG-01: line breaks in a subject or a name are refused",
        arguments: [
            "a\r\nBcc: eve@example.com", "a\nb", "a\rb", "a\u{0}b", "a\u{2028}b", "a\u{85}b",
            String(repeating: "s", count: 20_000),
        ])
    func injectionIsRefused(text: String) throws {
        #expect { try self.message(text).write(to: file) } throws: { ($0 as? MailError)?.code == .invalidMessage }
        #expect { try MailAddress(name: text, address: "a@example.com") } throws: {
            ($0 as? MailError)?.code == .invalidMessage
        }
        var message = try self.message()
        message.attachments = [MailAttachment(data: Data([1]), mimeType: "image/png", fileName: text)]
        #expect { try message.write(to: file) } throws: { ($0 as? MailError)?.code == .invalidMessage }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(
        "MSG-01: malformed addresses are refused, with the address in the error",
        arguments: [
            "", "a", "@b", "a@", "a b@c.de", "a@b\r\nRCPT TO:<x@y>", "a@b>", "<a@b", "a@@b", ".a@b.c", "a@b..c",
            "jürgen@example.de",
            "a@münchen.de", "a@b,c@d", "\"q\"@b.c", String(repeating: "a", count: 65) + "@b.c",
            "a@" + String(repeating: "b.", count: 200) + "c",
        ])
    func badAddressesAreRefused(text: String) {
        #expect { try MailAddress(address: text) } throws: {
            let error = $0 as? MailError
            return error?.code == .invalidMessage && error?.hint.isEmpty == false
                && error?.reason.contains("\r") == false
        }
    }

    @Test("MSG-01: addresses are read with and without names")
    func addresses() throws {
        #expect(try MailAddress(" a@b.c ").description == "a@b.c")
        #expect(try MailAddress("\"Doe, \\\"J\\\"\" <j+x@sub.example.com>").name == "Doe, \"J\"")
        #expect(try MailAddress("Jörg <j@[127.0.0.1]>").address == "j@[127.0.0.1]")
    }

    @Test("MSG-01: malformed media types are refused; messages in messages go as files")
    func mediaTypes() throws {
        for type in ["image", "image/", "a/b/c", "image/png; x=y", "image/p ng", "i\nm/png", ""] {
            var message = try self.message()
            message.attachments = [MailAttachment(data: Data([1]), mimeType: type, fileName: "x")]
            #expect { try message.write(to: file) } throws: { ($0 as? MailError)?.code == .invalidMessage }
        }
        var message = try self.message()
        message.attachments = [
            MailAttachment(data: Data("From: a@b.c\r\n\r\n".utf8), mimeType: "message/rfc822", fileName: "old.eml")
        ]
        try message.write(to: file)
        let read = try ReadMail(file)
        #expect(read.parts.last?.type == "application/octet-stream" && read.parts.last?.name == "old.eml")
    }

    @Test("MSG-01: a message without sender or recipient, or with an attachment that is gone, leaves no file")
    func incompleteMessages() throws {
        var message = try self.message()
        message.sender = nil
        #expect { try message.write(to: file) } throws: { ($0 as? MailError)?.reason.contains("no sender") == true }
        message = try self.message()
        message.to = []
        #expect { try message.write(to: file) } throws: { ($0 as? MailError)?.reason.contains("no recipient") == true }
        let gone = folder.url.appendingPathComponent("gone.txt")
        try Data("x".utf8).write(to: gone)
        message = try self.message()
        message.attachments = [try MailAttachment(contentsOf: gone)]
        try FileManager.default.removeItem(at: gone)
        #expect { try message.write(to: file) } throws: { ($0 as? MailError)?.code == .unusableFile }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        #expect { try self.message().write(to: folder.url.appendingPathComponent("no/such/a.eml")) } throws: {
            ($0 as? MailError)?.code == .unusableFile
        }
    }

    @Test("MSG-01: long subjects, names and file names are folded, so that no line is too long")
    func longFields() throws {
        var message = try message(String(repeating: "Ein sehr langer Betreff mit ä und ß ", count: 60))
        message.to = try (0..<200).map {
            try MailAddress(name: "Empfänger Nummer \($0)", address: "r\($0)@example.com")
        }
        let name = String(repeating: "Ü", count: 120) + ".png"
        message.attachments = [MailAttachment(data: Data([1]), mimeType: "image/png", fileName: name)]
        let written = try message.write(to: file)
        var read = try ReadMail(file)
        #expect(read.longestLine <= 998 && read.highBytes == 0)
        #expect(
            read.subject?.trimmingCharacters(in: .whitespaces) == message.subject.trimmingCharacters(in: .whitespaces))
        #expect(read.to.count == 200 && read.to[199] == ["Empfänger Nummer 199", "r199@example.com"])
        #expect(written.recipients.count == 200 && read.parts.last?.name == name)
        // A word that cannot be folded is encoded, or refused; never cut, and never a line that servers refuse.
        message.subject = String(repeating: "x", count: 1_500)
        do {
            try message.write(to: file)
            read = try ReadMail(file)
            #expect(read.longestLine <= 998 && read.subject?.filter { !$0.isWhitespace } == message.subject)
        } catch let error as MailError { #expect(error.code == .invalidMessage && error.reason.contains("998")) }
    }

    @Test("MSG-01: only blind copies: the file names no recipient")
    func blindCopiesAlone() throws {
        var message = try self.message()
        (message.bcc, message.to) = (message.to, [])
        let written = try message.write(to: file)
        #expect(written.recipients == ["bob@example.com"])
        #expect(try !String(contentsOf: file, encoding: .ascii).contains("bob@"))
        #expect(try ReadMail(file).fields.contains("To"))
    }

    @Test("MSG-01: a file of others is taken only with lines that servers take")
    func foreignFiles() throws {
        func take(_ text: String) throws -> MailFile {
            try Data(text.utf8).write(to: file)
            return try MailFile(contentsOf: file, sender: "a@b.c", recipients: ["d@e.f"])
        }
        #expect(try take("Subject: x\r\n\r\ny\r\n").size == 17)
        for text in [
            "", "a\nb\r\n", "a\rb\r\n", "a\r\n\u{E4}\r\n", "a\0\r\n", "a", String(repeating: "x", count: 999) + "\r\n",
            "a\r",
        ] {
            #expect { try take(text) } throws: { ($0 as? MailError)?.code == .invalidMessage }
        }
        #expect(try take(String(repeating: "x", count: 998) + "\r\n").size == 1_000)
    }
}
