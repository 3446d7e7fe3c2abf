import CoreDataTransfer
import Foundation
import FoundationNetworking
import TestBasics
import TestServers
import Testing

@Suite struct UploadTests {
    let session = TransferSession()
    let folder: TemporaryFolder
    let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("a.bin")
    }

    @Test("a text is put with its length, and a file's bytes arrive as they are (WEB-09)")
    func putsFile() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(201, text: "made") }
        defer { server.stop() }
        try Data("Hello, World!".utf8).write(to: file)
        let (answer, response) = try await session.upload(for: URLRequest(url: server.url("/a")), fromFile: file)
        #expect(answer == Data("made".utf8) && response.statusCode == 201)
        let first = try #require(server.requests.first)
        #expect(first.method == "PUT" && first.field("Content-Length") == "13")
        #expect(first.body == Data("Hello, World!".utf8))
        let picture = Data.pattern(5_000_000)
        try picture.write(to: file)
        let fractions = Collected<Double>()
        var options = TransferOptions()
        options.onProgress = { if $0.bytesToSend != nil { fractions.append(Double($0.sent) / 5_000_000) } }
        var request = URLRequest(url: server.url("/b"))
        request.httpMethod = "POST"
        _ = try await session.upload(for: request, fromFile: file, options: options)
        let second = try #require(server.requests.last)
        #expect(second.method == "POST" && second.body == picture)
        #expect(fractions.values.last == 1)
    }

    @Test("a file that is not there is an error with its path (WEB-09)")
    func missingFile() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let error = await transferError { _ = try await session.upload(for: URLRequest(url: url), fromFile: file) }
        #expect(error?.code == .unreadableBody && error?.reason.contains(file.path) == true)
        let folderError = await transferError {
            _ = try await session.upload(for: URLRequest(url: url), fromFile: folder.url)
        }
        #expect(folderError?.code == .unreadableBody)
    }

    @Test("an upload is sent whole to where it is redirected (WEB-09)", arguments: [307, 308])
    func redirectedUpload(status: Int) async throws {
        let server = try ScriptedServer { request, reply in
            if request.path == "/a" { return try reply.respond(status, ["Location: /b"]) }
            try reply.respond(text: "ok")
        }
        defer { server.stop() }
        try Data.pattern(1_000_000).write(to: file)
        _ = try await session.upload(for: URLRequest(url: server.url("/a")), fromFile: file)
        #expect(server.requests.last?.body == .pattern(1_000_000))
        #expect(server.requests.last?.method == "PUT")
    }

    @Test("a stream that was sent cannot be sent once more")
    func redirectedStream() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(307, ["Location: /b"]) }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/a"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: .pattern(1_000))
        let code = await transferCode { _ = try await session.data(for: request) }
        #expect(code == .bodyNotRepeatable)
    }
}
