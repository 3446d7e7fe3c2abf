import CoreDataTransfer
import Foundation
import FoundationNetworking
import TestBasics
import TestServers
import Testing

@Suite struct ContentsTests {
    let session = TransferSession()

    @Test("the contents of a URL are bytes, text or a property list, from the web and from files (WEB-01)")
    func contents() async throws {
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": [1, 2]], format: .binary, options: 0)
        let server = try ScriptedServer { request, reply in
            switch request.path {
            case "/list": try reply.respond(body: list)
            case "/latin":
                try reply.respond(200, ["Content-Type: text/plain; Charset=\"ISO-8859-1\""], body: Data([0xE4, 0x80]))
            case "/mark":
                try reply.respond(
                    200, ["Content-Type: text/plain; charset=latin1"], body: Data([0xEF, 0xBB, 0xBF, 0xC3, 0xA4]))
            case "/wide": try reply.respond(body: Data([0xFE, 0xFF, 0x00, 0xE4]))
            case "/wrong": try reply.respond(200, ["Content-Type: text/plain; charset=utf-8"], body: Data([0xE4]))
            default: try reply.respond(404)
            }
        }
        defer { server.stop() }
        let value = try await session.contents(of: server.url("/list")).propertyList() as? [String: [Int]]
        #expect(value == ["a": [1, 2]])
        #expect(try await session.contents(of: server.url("/latin")).string() == "ä€")
        #expect(try await session.contents(of: server.url("/mark")).string() == "ä")
        #expect(try await session.contents(of: server.url("/wide")).string() == "ä")
        let wrong = try await session.contents(of: server.url("/wrong"))
        #expect(await transferCode { _ = try wrong.string() } == .undecodableText)
        #expect(await transferCode { _ = try wrong.propertyList() } == .invalidPropertyList)
        #expect(await transferCode { _ = try await session.contents(of: server.url("/")) } == .status(404))
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.txt")
        try Data("ä".utf8).write(to: file)
        #expect(try await session.contents(of: file).string() == "ä")
        await #expect(throws: (any Error).self) {
            _ = try await session.contents(of: folder.url.appendingPathComponent("b"))
        }
        #expect(await transferCode { _ = try await session.contents(of: folder.url) } == .invalidRequest)
        var configuration = TransferConfiguration()
        configuration.addresses = .publicInternet()
        let limited = TransferSession(configuration: configuration)
        #expect(await transferCode { _ = try await limited.contents(of: file) } == .unsupportedScheme)
    }

    @Test("a thread can wait for a response, and gets data, response and error (WEB-01)")
    func blocking() async throws {
        let server = try ScriptedServer { request, reply in
            try reply.respond(request.path == "/a" ? 200 : 404, text: "hello")
        }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a")
        let (first, second) = (server.url("/a"), server.url("/b"))
        let results = await withCheckedContinuation { continuation in
            Thread { [session] in
                let blocking = session.blocking
                let data = try? blocking.data(for: URLRequest(url: first))
                _ = try? blocking.download(for: URLRequest(url: first), to: file)
                let contents = try? blocking.contents(of: file).string()
                let code = (Result { try blocking.data(for: URLRequest(url: second)) }.error as? TransferError)?.code
                continuation.resume(returning: (data?.0, data?.1.statusCode, contents, code))
            }.start()
        }
        #expect(results.0 == Data("hello".utf8) && results.1 == 200)
        #expect(results.2 == "hello")
        #expect(results.3 == .status(404))
    }

    @Test("on the main thread a function that waits refuses in a debug build (WEB-01)")
    @MainActor func mainThread() throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let error = Result { try session.blocking.data(for: URLRequest(url: url)) }.error as? TransferError
        #expect(error?.code == .calledOnMainThread)
        #expect(error?.url == url)
    }
}

extension Result {
    fileprivate var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
