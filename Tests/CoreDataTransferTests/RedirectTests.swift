import CoreDataTransfer
import Foundation
import FoundationNetworking
import TestServers
import Testing

@Suite struct RedirectTests {
    let session = TransferSession()

    @Test(
        "a redirect changes method and body as the Fetch standard says (WEB-04)",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
            (308, "POST", "POST"),
            (301, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "PUT", "GET"), (303, "DELETE", "GET"), (307, "PUT", "PUT"),
            (302, "GET", "GET"), (303, "HEAD", "HEAD"),
        ])
    func methodAndBody(status: Int, method: String, expected: String) async throws {
        let server = try ScriptedServer { request, reply in
            if request.path == "/a" {
                // Only the body of the last response is handed out.
                return try reply.respond(status, ["Location: b?x=1"], text: request.method == "HEAD" ? "" : "moved")
            }
            try reply.respond(text: request.method == "HEAD" ? "" : "here")
        }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/a"))
        request.httpMethod = method
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let hasBody = method == "POST" || method == "PUT"
        if hasBody { request.httpBody = Data("body".utf8) }
        let (data, response) = try await session.data(for: request)
        #expect(data == Data((method == "HEAD" ? "" : "here").utf8))
        #expect(response.url == server.url("/b?x=1"))
        let last = try #require(server.requests.last)
        #expect(last.method == expected && last.target == "/b?x=1")
        let keepsBody = hasBody && expected == method
        #expect(last.body == Data((keepsBody ? "body" : "").utf8))
        #expect((last.field("Content-Type") == nil) == (expected != method))
    }

    @Test("credentials and cookies of a request stay with its origin")
    func credentialsStay() async throws {
        let other = try ScriptedServer { _, reply in try reply.respond(401, ["WWW-Authenticate: Basic realm=\"a\""]) }
        let there = other.url("/b")
        let server = try ScriptedServer { request, reply in
            if request.path == "/a" { return try reply.respond(302, ["Location: /same"]) }
            try reply.respond(302, ["Location: \(there)"])
        }
        defer {
            server.stop()
            other.stop()
        }
        var request = URLRequest(url: server.url("/a"))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.setValue("a=b", forHTTPHeaderField: "Cookie")
        request.setValue("1", forHTTPHeaderField: "X-Other")
        var options = TransferOptions()
        options.credential = TransferCredential(user: "user", password: "secret")
        let (sent, chosen) = (request, options)
        let code = await transferCode { _ = try await session.data(for: sent, options: chosen) }
        #expect(code == .status(401))
        #expect(server.requests.last?.path == "/same")
        #expect(server.requests.allSatisfy { $0.field("Authorization") == "Bearer secret" })
        let received = try #require(other.requests.first)
        #expect(other.requests.count == 1)
        #expect(received.field("Authorization") == nil && received.field("Cookie") == nil)
        #expect(received.field("X-Other") == "1")
    }

    @Test("a redirect and a refusal count although their bodies end too early")
    func bodiesThatEndTooEarly() async throws {
        let server = try ScriptedServer { request, reply in
            if request.path == "/end" { return try reply.respond(text: "here") }
            let status = request.path == "/moved" ? "302 Found\r\nLocation: /end" : "404 Not Found"
            try reply.send("HTTP/1.1 \(status)\r\nContent-Length: 100\r\n\r\nshort")
            reply.close()
        }
        defer { server.stop() }
        let (data, _) = try await session.data(for: URLRequest(url: server.url("/moved")))
        #expect(data == Data("here".utf8))
        let error = await transferError { _ = try await session.data(for: URLRequest(url: server.url("/none"))) }
        #expect(error?.code == .status(404))
        #expect(error?.body == Data("short".utf8))
    }

    @Test("too many redirects, and those to other schemes, are refused with the last URL")
    func refusedRedirects() async throws {
        let server = try ScriptedServer { request, reply in
            switch request.path {
            case "/file": try reply.respond(302, ["Location: file:///etc/hostname"])
            case "/ftp": try reply.respond(302, ["Location: ftp://127.0.0.1/"])
            case "/none": try reply.respond(302, text: "no place")
            default: try reply.respond(302, ["Location: /\((Int(request.path.dropFirst()) ?? 0) + 1)"])
            }
        }
        defer { server.stop() }
        func error(_ path: String) async -> TransferError? {
            await transferError { _ = try await session.data(for: URLRequest(url: server.url(path))) }
        }
        let endless = try #require(await error("/0"))
        #expect(endless.code == .tooManyRedirects && endless.url == server.url("/20"))
        #expect(server.requests.count == 21)
        #expect(await error("/file")?.code == .unsupportedScheme)
        #expect(await error("/ftp")?.code == .unsupportedScheme)
        #expect(await error("/none")?.code == .status(302))
        var configuration = TransferConfiguration()
        configuration.maximumRedirects = 0
        let following = TransferSession(configuration: configuration)
        var options = TransferOptions()
        options.accepts = .all
        let (_, response) = try await following.data(for: URLRequest(url: server.url("/0")), options: options)
        #expect(response.statusCode == 302)
    }

    @Test("no name and no redirect leads to an address that is not public")
    func privateAddresses() async throws {
        let server = try ScriptedServer { request, reply in
            if request.path == "/a" { return try reply.respond(302, ["Location: http://127.0.0.2:1/"]) }
            try reply.respond(text: "here")
        }
        defer { server.stop() }
        func code(_ text: String, _ policy: AddressPolicy) async throws -> TransferError.Code? {
            var configuration = TransferConfiguration()
            configuration.addresses = policy
            let session = TransferSession(configuration: configuration)
            let url = try #require(URL(string: text))
            return await transferCode { _ = try await session.data(for: URLRequest(url: url)) }
        }
        let port = server.port
        for host in ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"] {
            #expect(try await code("http://\(host):\(port)/", .publicInternet()) == .addressNotAllowed, "\(host)")
        }
        #expect(server.connectionCount == 0)
        #expect(try await code("http://127.0.0.1:\(port)/", .publicInternet(besides: ["127.0.0.1"])) == nil)
        #expect(
            try await code("http://127.0.0.1:\(port)/a", .publicInternet(besides: ["127.0.0.1"])) == .addressNotAllowed)
    }
}
