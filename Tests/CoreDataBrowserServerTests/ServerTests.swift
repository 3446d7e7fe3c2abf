import CoreDataBrowserServer
import Testing

@Suite("The HTTP server")
struct ServerTests {
    @Test("A page is answered with its length and the fields that protect it; the link's code is good once")
    func pageIsAnsweredWithItsLengthAndFieldsThatProtect() async throws {
        let test = try TestServer()
        let text = try await test.ask("GET /")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("\r\nContent-Security-Policy: default-src 'none'"))
        #expect(text.lowercased().contains("\r\ncontent-length: "))
        #expect(text.hasSuffix("}\n"))
        let code = test.server.link().dropFirst(test.server.address.count - 1)
        let client = try SocketClient(test.server.port)
        let request = "GET \(code) HTTP/1.1\r\nHost: localhost:\(test.server.port)\r\nAccept: text/html\r\n\r\n"
        await client.send(request)
        let first = await client.receive(until: "\r\n\r\n")
        #expect(first.hasPrefix("HTTP/1.1 303"))
        await client.send(request)
        let answer1 = await client.receive(until: "\r\n\r\n")
        #expect(answer1.hasPrefix("HTTP/1.1 403"))
        test.server.stop()
    }

    @Test("HEAD is answered as GET is, without the body")
    func headIsAnsweredAsGET() async throws {
        let test = try TestServer()
        let (whole, head) = (try await test.ask("GET /"), try await test.ask("HEAD /"))
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(head.hasSuffix("\r\n\r\n"))
        let length = "Content-Length: \(whole.utf8.count - head.utf8.count)"
        #expect(head.contains(length))
    }

    @Test("Where a port is taken, the next one is; the server gives its port back when it stops")
    func wherePortIsTaken() async throws {
        let one = try BrowserServer(Browser())
        let two = try BrowserServer(Browser(), port: one.port)
        #expect(two.port > one.port)
        #expect(two.address == "http://127.0.0.1:\(two.port)/")
        let port = one.port
        one.stop()
        one.stop()
        let three = try BrowserServer(Browser(), port: port)
        #expect(three.port == port)
        #expect(throws: (any Error).self) { try BrowserServer(Browser(), port: 70_000) }
    }

    @Test("A request's body arrives whole and in order, however it is cut")
    func requestsBodyArrivesWholeAndInOrder() async throws {
        let test = try TestServer()
        let code = test.browser.core.access.sessions.code()
        let body = "{\"code\": \"\(code)\", \"fill\": \"" + String(repeating: "x", count: 1_000_000) + "\"}"
        let client = try SocketClient(test.server.port)
        await client.send(
            test.head("POST /session", "Content-Type: application/json", "Content-Length: \(body.utf8.count)") + "\r\n")
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: 77_777) {
            await client.send(Array(bytes[start..<min(start + 77_777, bytes.count)]))
        }
        let answer = await client.receive(until: "secret")
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        // The same connection goes on.
        await client.send(test.head("GET /", "Connection: close") + "\r\n")
        let answer2 = await client.rest()
        #expect(answer2.contains("HTTP/1.1 200 OK"))
    }

    @Test("A chunked body and one that waits for '100 Continue' are read too")
    func chunkedBodyAndOneThatWaitsFor100ContinueAreReadToo() async throws {
        let test = try TestServer()
        let body = "{\"code\": \"none\"}"
        let size = String(body.utf8.count, radix: 16)
        let chunked = try await test.ask(
            "POST /session", "Content-Type: application/json", "Transfer-Encoding: chunked",
            body: "\(size)\r\n\(body)\r\n0\r\n\r\n")
        #expect(chunked.contains("usedCode"))
        let client = try SocketClient(test.server.port)
        await client.send(
            test.head(
                "POST /session", "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
                "Expect: 100-continue", "Connection: close") + "\r\n")
        let go = await client.receive(until: "\r\n\r\n")
        #expect(go.hasPrefix("HTTP/1.1 100"))
        await client.send(body)
        let answer3 = await client.rest()
        #expect(answer3.contains("usedCode"))
    }
}
