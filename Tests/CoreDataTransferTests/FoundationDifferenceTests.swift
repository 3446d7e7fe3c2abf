import CoreDataTransfer
import Foundation
import FoundationNetworking
import TestServers
import Testing

/// What the `URLSession` of open-source Foundation does against expectation, done right here.
@Suite struct FoundationDifferenceTests {
    let session = TransferSession()

    @Test("a body is sent again after a challenge, and the answer to it is all that is handed out")
    func basicAuthentication() async throws {
        let server = try ScriptedServer { request, reply in
            guard request.field("Authorization") == "Basic dXNlcjpzZWNyZXQ=" else {
                return try reply.respond(401, ["WWW-Authenticate: Basic realm=\"a\""], text: "who are you?")
            }
            try reply.respond(text: "welcome")
        }
        defer { server.stop() }
        var options = TransferOptions()
        options.credential = TransferCredential(user: "user", password: "secret")
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        let (data, response) = try await session.data(for: request, options: options)
        #expect(data == Data("welcome".utf8) && response.statusCode == 200)
        #expect(server.requests.last?.body == Data("body".utf8))
        options.credential?.password = "wrong"
        let (wrong, sent) = (options, request)
        #expect(await transferCode { _ = try await session.data(for: sent, options: wrong) } == .status(401))
    }

    @Test("a challenge by Digest is answered")
    func digestAuthentication() async throws {
        let server = try ScriptedServer { request, reply in
            guard let field = request.field("Authorization"), field.hasPrefix("Digest "), field.contains("response=")
            else {
                let challenge = "Digest realm=\"a\", nonce=\"abc\", qop=\"auth\", algorithm=SHA-256"
                return try reply.respond(401, ["WWW-Authenticate: \(challenge)"])
            }
            try reply.respond(text: "welcome")
        }
        defer { server.stop() }
        var options = TransferOptions()
        options.credential = TransferCredential(user: "user", password: "secret")
        let (data, _) = try await session.data(for: URLRequest(url: server.url("/")), options: options)
        #expect(data == Data("welcome".utf8))
    }

    @Test("fields that are not UTF-8, or differ in case, are all there")
    func headerFields() async throws {
        let server = try ScriptedServer { _, reply in
            try reply.send(Data("HTTP/1.1 200 OK\r\nX-Name: J".utf8) + Data([0xFC]) + Data("rgen\r\n".utf8))
            try reply.send("Content-Length: 0\r\nx-a: 1\r\nX-A: 2\r\nX-Text: ü\r\nX-Empty:\r\n\r\n")
        }
        defer { server.stop() }
        let (_, response) = try await session.data(for: URLRequest(url: server.url("/")))
        #expect(response.value(forHTTPHeaderField: "X-Name") == "Jürgen")
        #expect(response.value(forHTTPHeaderField: "X-A") == "1, 2")
        #expect(response.value(forHTTPHeaderField: "X-Text") == "ü")
        #expect(response.value(forHTTPHeaderField: "X-Empty") == "")
    }

    @Test("a cookie whose Max-Age is 0 is not sent back, others are")
    func cookies() async throws {
        let server = try ScriptedServer { _, reply in
            try reply.respond(200, ["Set-Cookie: a=1; Max-Age=0", "Set-Cookie: b=2; Max-Age=1000", "Set-Cookie: c=3"])
        }
        defer { server.stop() }
        for _ in 0..<2 { _ = try await session.data(for: URLRequest(url: server.url("/"))) }
        #expect(server.requests.last?.field("Cookie").map { Set($0.components(separatedBy: "; ")) } == ["b=2", "c=3"])
        var configuration = TransferConfiguration()
        configuration.keepsCookies = false
        let other = TransferSession(configuration: configuration)
        for _ in 0..<2 { _ = try await other.data(for: URLRequest(url: server.url("/"))) }
        #expect(server.requests.last?.field("Cookie") == nil)
    }

    @Test("interim responses are not the response")
    func interimResponses() async throws {
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
            try reply.respond(200, ["X-A: 1"], text: "here")
        }
        defer { server.stop() }
        let (data, response) = try await session.data(for: URLRequest(url: server.url("/")))
        #expect(data == Data("here".utf8) && response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "Link") == nil)
        #expect(response.value(forHTTPHeaderField: "X-A") == "1")
    }

    @Test("a URL with an IPv6 address is connected to")
    func ipv6Address() async throws {
        let url = try #require(URL(string: "http://[::1]:9/"))
        // Nothing listens there: what matters is that the address is understood.
        #expect(await transferCode { _ = try await session.data(for: URLRequest(url: url)) } == .cannotConnect)
    }
}
