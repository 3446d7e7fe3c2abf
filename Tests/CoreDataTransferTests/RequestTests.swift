import CoreDataTransfer
import Foundation
import FoundationNetworking
import TestServers
import Testing

@Suite struct RequestTests {
    let session = TransferSession()

    @Test(
        "method, fields and body reach the server as they are (WEB-02)",
        arguments: ["GET", "POST", "PUT", "DELETE", "PATCH"])
    func requestArrives(method: String) async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(text: "ok") }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/a%2Fb/../c?x=1%20&y"))
        request.httpMethod = method
        request.setValue("a, b", forHTTPHeaderField: "X-List")
        request.setValue("", forHTTPHeaderField: "X-Empty")
        if method != "GET" { request.httpBody = Data("äöü\u{0}".utf8) }
        let (data, response) = try await session.data(for: request)
        #expect(data == Data("ok".utf8))
        #expect(response.statusCode == 200)
        let received = try #require(server.requests.first)
        #expect(received.method == method)
        #expect(received.target == "/a%2Fb/../c?x=1%20&y")
        #expect(received.field("X-List") == "a, b")
        #expect(received.field("X-Empty") == "")
        #expect(received.body == (method == "GET" ? Data() : Data("äöü\u{0}".utf8)))
        #expect(received.field("Expect") == nil)
    }

    @Test("a method that has a body is sent with a length without one (WEB-02)", arguments: ["POST", "PUT"])
    func emptyBodyHasLength(method: String) async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(204) }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = method
        _ = try await session.data(for: request)
        #expect(server.requests.first?.field("Content-Length") == "0")
    }

    @Test("HEAD gets fields and no body (WEB-02)")
    func headHasNoBody() async throws {
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nX-A: b\r\n\r\n")
        }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "HEAD"
        let (data, response) = try await session.data(for: request)
        #expect(data.isEmpty)
        #expect(response.value(forHTTPHeaderField: "X-A") == "b")
    }

    @Test("a body of HEAD is not sent, and none is waited for")
    func headWithBody() async throws {
        let server = try ScriptedServer { _, reply in try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n") }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "HEAD"
        request.httpBody = Data("body".utf8)
        #expect(try await session.data(for: request).0.isEmpty)
        #expect(server.requests.first?.body == Data())
    }

    @Test("a stream is sent in chunks (WEB-02)")
    func streamIsSent() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(text: "ok") }
        defer { server.stop() }
        let body = Data.pattern(300_000)
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: body)
        _ = try await session.data(for: request)
        #expect(server.requests.first?.body == body)
        #expect(server.requests.first?.field("Transfer-Encoding") == "chunked")
    }

    @Test(
        "a request that HTTP cannot express is refused before anything is sent (WEB-05)",
        arguments: [("X A", "b"), ("X-A\r\nB", "c"), ("Ä", "d")])
    func invalidFieldIsRefused(name: String, value: String) async throws {
        let server = try ScriptedServer { _, reply in try reply.respond() }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/"))
        request.setValue(value, forHTTPHeaderField: name)
        let code = await transferCode { _ = try await session.data(for: request) }
        #expect(code == .invalidRequest)
        #expect(server.connectionCount == 0)
    }

    @Test(
        "a scheme other than http and https is refused",
        arguments: ["ftp://127.0.0.1/a", "file:///etc/hostname", "gopher://a/"])
    func otherSchemeIsRefused(text: String) async throws {
        let url = try #require(URL(string: text))
        #expect(await transferCode { _ = try await session.data(for: URLRequest(url: url)) } == .unsupportedScheme)
    }

    @Test(
        "the parameters of a form are the query of GET and the body of POST and PUT (WEB-03)",
        arguments: ["GET", "POST", "PUT"])
    func formParameters(method: String) async throws {
        let server = try ScriptedServer { _, reply in try reply.respond() }
        defer { server.stop() }
        let form: KeyValuePairs = ["foo": "bar", "ä b": "1+1=2&c/ü", "empty": ""]
        _ = try await session.data(for: URLRequest(url: server.url("/echo?a=1"), method: method, form: form))
        let encoded = "foo=bar&%C3%A4%20b=1%2B1%3D2%26c%2F%C3%BC&empty="
        let received = try #require(server.requests.first)
        #expect(received.target == (method == "GET" ? "/echo?a=1&\(encoded)" : "/echo?a=1"))
        #expect(received.body == Data((method == "GET" ? "" : encoded).utf8))
        let type = method == "GET" ? nil : "application/x-www-form-urlencoded"
        #expect(received.field("Content-Type") == type)
    }

    @Test("the parts of a form are read back by Python's parser of messages")
    func multipartForm() async throws {
        var request = URLRequest(url: try #require(URL(string: "http://localhost/")))
        request.setMultipartBody([
            FormPart(name: "a\"\u{301}b\r\nc", data: Data("1".utf8)),
            FormPart(name: "file", data: .pattern(1_000), fileName: "ü.bin", contentType: "application/x\r\nX-Y: z"),
        ])
        let body = try #require(request.httpBody)
        let type = try #require(request.value(forHTTPHeaderField: "Content-Type"))
        let script = """
            import email, sys
            message = email.message_from_bytes(sys.stdin.buffer.read())
            for part in message.get_payload():
                print(part["Content-Disposition"], part["Content-Type"], len(part.get_payload(decode=True)), len(part.keys()))
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("Content-Type: \(type)\r\n\r\n".utf8) + body)
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("form-data; name=\"a%22") == true)
        #expect(lines.first?.hasSuffix("b%0D%0Ac\" None 1 1") == true)
        #expect(lines.last?.hasSuffix("application/xX-Y: z 1000 2") == true)
    }
}
