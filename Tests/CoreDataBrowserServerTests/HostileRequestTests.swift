import CoreDataBrowserServer
import HTTPServerKit
import Testing

@Suite("Hostile requests")
struct HostileRequestTests {
    @Test("a body of 1 GB is refused before it is sent, and one without a length when it is too long (HAZ-62)")
    func bodyOf1GBIsRefusedBeforeItIsSent() async throws {
        let test = try TestServer()
        let client = try SocketClient(test.server.port)
        await client.send(
            test.head("POST /session", "Content-Type: application/json", "Content-Length: 1073741824") + "\r\n{")
        let answer = await client.receive(until: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 413"))

        let other = try SocketClient(test.server.port)
        await other.send(
            test.head("POST /session", "Content-Type: application/json", "Transfer-Encoding: chunked") + "\r\n")
        let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
        var sent = 0
        while sent < 200, await other.send(chunk) { sent += 1 }
        // The page reads four of them, and what was on its way is thrown away; the rest never leaves the client.
        #expect(sent < 64)
        let settled = try await test.settle()
        #expect(settled)
    }

    @Test("100,000 header fields and one of 1 MB are refused, and nothing is left of them (HAZ-62)")
    func of100000HeaderFieldsAndOneOf1MBAreRefused() async throws {
        let test = try TestServer()
        for fields in [
            (0..<100_000).map { "X-\($0): y\r\n" }.joined(), "X: " + String(repeating: "y", count: 1 << 20) + "\r\n",
        ] {
            let client = try SocketClient(test.server.port)
            await client.send(test.head("GET /") + fields + "\r\n")
            let answer = await client.rest()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.0 4"))
        }
        let settled = try await test.settle()
        #expect(settled)
        let answer2 = try await test.ask("GET /")
        #expect(answer2.hasPrefix("HTTP/1.1 200"))
    }

    @Test(
        "paths with '..', NUL, bad UTF-8, another host and no path are refused (HAZ-62)",
        arguments: [
            "/%2e%2e/etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fetc%2fpasswd", "/a%00b",
            "/assets/main.js%00.html", "/%ff", "/%zz", "/../x", "*", "http://evil.example/",
            "/" + String(repeating: "a", count: 40_000),
        ])
    func pathsWithNULBadUTF8(_ path: String) async throws {
        let answer = try await TestServer().ask("GET \(path)")
        #expect(answer.hasPrefix("HTTP/1.1 4"))
        #expect(!answer.contains("root:"))
    }

    @Test("raw bytes that are not UTF-8 and raw NUL in the first line are refused (HAZ-62)")
    func rawBytes() async throws {
        let test = try TestServer()
        for byte: UInt8 in [0xFF, 0] {
            let client = try SocketClient(test.server.port)
            let lines = "HTTP/1.1\r\nHost: 127.0.0.1:\(test.server.port)\r\nConnection: close\r\n\r\n"
            await client.send(Array("GET /".utf8) + [byte] + Array("assets/index.html ".utf8) + Array(lines.utf8))
            let answer = await client.rest()
            #expect(answer.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test("a POST of another site and a name that DNS was bent to are refused (HAZ-62)")
    func otherSites() async throws {
        let test = try TestServer()
        let post = try await test.ask("POST /tabs", "Origin: http://evil.example", "Content-Length: 0")
        #expect(post.hasPrefix("HTTP/1.1 403"))
        let client = try SocketClient(test.server.port)
        await client.send("GET /assets/index.html HTTP/1.1\r\nHost: evil.example:\(test.server.port)\r\n\r\n")
        let answer1 = await client.receive(until: "\r\n\r\n")
        #expect(answer1.hasPrefix("HTTP/1.1 403"))
    }

    /// The whole answer to a request that is written out, of which the connection is closed by the server.
    private func answer(to text: String, of test: TestServer) async throws -> String {
        let client = try SocketClient(test.server.port)
        await client.send(text)
        return await client.rest()
    }

    /// Whether an answer's body has as many bytes as its Content-Length says, and has some.
    private static func isWhole(_ answer: String) -> Bool {
        guard let end = answer.range(of: "\r\n\r\n"),
            let length = answer[..<end.lowerBound].firstMatch(of: /(?i)content-length: (\d+)/).flatMap({ Int($0.1) })
        else { return false }
        return length > 0 && answer[end.upperBound...].utf8.count == length
    }

    @Test(
        "requests whose end two readers could see in two places are refused, and the connection closed (HAZ-62)",
        arguments: [
            (["Content-Length: 5", "Content-Length: 50"], "400"), (["Content-Length: 0", "Content-Length: 0"], "400"),
            (["Content-Length: 3", "Transfer-Encoding: chunked"], "400"),
            (["Transfer-Encoding: chunked", "Content-Length: 0"], "400"), (["Transfer-Encoding: gzip"], "501"),
            (["Transfer-Encoding: gzip, chunked"], "501"), (["Transfer-Encoding: xchunked"], "501"),
            (["X-Nul: a\0b"], "400"), (["X-Nul\0: a"], "400"), (["X-Folded: a\r\n b"], "400"),
        ])
    func requestsWhoseEndTwoReadersCouldSeeInTwoPlacesAreRefused(_ fields: [String], _ status: String) async throws {
        let test = try TestServer()
        let begin = ContinuousClock.now
        let head = test.head("POST /tabs") + fields.map { $0 + "\r\n" }.joined()
        let text = try await answer(to: head + "\r\nabcGET /smuggled HTTP/1.1\r\n\r\n", of: test)
        #expect(text.hasPrefix("HTTP/1.1 \(status)"), "\(text)")
        #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
        // The client reads for some seconds where the server neither sends the rest nor closes the connection.
        #expect(Self.isWhole(text) && begin.duration(to: .now) < .seconds(4), "\(text)")
        let settled = try await test.settle()
        #expect(settled)
    }

    @Test(
        "a first chunk of more bytes than a body may have, or a number holds, is refused before it comes (HAZ-62)",
        arguments: [
            "ffffffffffffffffff", "ffffffffffffffff", "7fffffffffffffff", "7FFFFFFF;note=1", "400001",
            "0000000000400001",
        ])
    func hugeChunk(_ size: String) async throws {
        let test = try TestServer()
        let head = test.head("POST /session", "Content-Type: application/json", "Transfer-Encoding: chunked")
        for rest in ["", "abc"] {
            let begin = ContinuousClock.now
            let text = try await answer(to: head + "\r\n\(size)\r\n\(rest)", of: test)
            #expect(text.hasPrefix("HTTP/1.1 413"), "\(text)")
            #expect(begin.duration(to: .now) < .seconds(ServerLimits().bodySeconds))
        }
        let settled = try await test.settle()
        #expect(settled)
    }

    @Test("a first chunk of as many bytes as a body may have is waited for, and its end is the last chunk")
    func greatestChunk() async throws {
        let test = try TestServer()
        let client = try SocketClient(test.server.port)
        let head = test.head("POST /session", "Content-Type: application/json", "Transfer-Encoding: chunked")
        await client.send(head + "\r\n400000\r\n{\"code\": \"none\"")
        let settled = try await test.settle(at: 1)
        #expect(settled)
        let filling = String(repeating: " ", count: (4 << 20) - 16)
        await client.send(filling + "}\r\n0\r\n\r\n")
        let text = await client.receive(until: "usedCode")
        #expect(text.contains("usedCode"), "\(text)")
    }

    @Test(
        "a client that sends no more of a body is answered in seconds, whatever size it has said (HAZ-62)",
        arguments: [
            (["Content-Length: 100"], "{"), (["Transfer-Encoding: chunked"], "1000\r\n{"),
            (["Transfer-Encoding: chunked"], "1\r\n{\r\n7fffffffffffffff\r\n"),
            (["Transfer-Encoding: chunked"], ""),
        ])
    func unfinishedBody(_ fields: [String], _ body: String) async throws {
        var limits = ServerLimits()
        limits.bodySeconds = 0.5
        let test = try TestServer(limits: limits)
        let head = test.head("POST /session", "Content-Type: application/json") + fields.map { $0 + "\r\n" }.joined()
        let text = try await answer(to: head + "\r\n" + body, of: test)
        #expect(text.hasPrefix("HTTP/1.1 408"), "\(text)")
        let settled = try await test.settle()
        #expect(settled)
    }

    @Test("an idle connection, and one whose header fields come drop by drop, is closed in time (HAZ-62)")
    func dribbledHead() async throws {
        var limits = ServerLimits()
        (limits.idleSeconds, limits.bodySeconds) = (2, 0.2)
        let test = try TestServer(limits: limits)
        let (idle, dribbling) = (try SocketClient(test.server.port), try SocketClient(test.server.port))
        let begin = ContinuousClock.now
        var isOpen = true
        for byte in test.head("GET /").utf8 where isOpen && begin.duration(to: .now) < .seconds(20) {
            isOpen = await dribbling.send([byte])
            try await Task.sleep(for: .milliseconds(300))
        }
        #expect(!isOpen && begin.duration(to: .now) < .seconds(20))
        let rest = await idle.rest()
        #expect(rest == "")
    }

    @Test("one address does not get all places, and those of others stay free (HAZ-62)")
    func limitByAddress() async throws {
        var limits = ServerLimits()
        (limits.connections, limits.connectionsPerAddress, limits.bodySeconds) = (40, 10, 600)
        let test = try TestServer(limits: limits)
        var clients: [SocketClient] = []
        // Each has a request that waits for its body, so none is idle.
        for number in 1...10 {
            let client = try SocketClient(test.server.port)
            await client.send(
                test.head("POST /session", "Content-Type: application/json", "Content-Length: 100") + "\r\n{")
            clients.append(client)
            let settled = try await test.settle(at: number)
            try #require(settled)
        }
        let refused = try await test.ask("GET /")
        #expect(refused == "")
        for own: UInt8 in 2...9 {
            let text = try await test.ask("GET /", from: own)
            #expect(text.hasPrefix("HTTP/1.1 200"), "\(own): \(text)")
        }
        clients.removeLast()
        let settled = try await test.settle(at: 9)
        #expect(settled)
        // The place is free a moment after the request has ended.
        var text = ""
        for _ in 0..<1_000 where text.isEmpty { text = try await test.ask("GET /") }
        #expect(text.hasPrefix("HTTP/1.1 200"))
        #expect(clients.count == 9)
    }

    @Test(
        "idle connections of an address give way to those of others, and to its own that ask (HAZ-62)",
        arguments: [1, 3])
    func idleByAddress(_ asking: UInt8) async throws {
        var limits = ServerLimits()
        (limits.connections, limits.connectionsPerAddress) = (40, 30)
        let test = try TestServer(limits: limits)
        var clients: [SocketClient] = []
        for number in 0..<200 { clients.append(try SocketClient(test.server.port, from: 3 + UInt8(number % 3))) }
        for _ in 0..<20 {
            let text = try await test.ask("GET /", from: asking)
            #expect(text.hasPrefix("HTTP/1.1 200"))
        }
        #expect(clients.count == 200)
    }

    @Test("a query of very many arguments is answered (HAZ-62)", arguments: [1_900, 5_000, 20_000])
    func manyArguments(_ count: Int) async throws {
        let test = try TestServer()
        let query = String(repeating: "a&", count: count)
        let text = try await test.ask("GET /?\(query)")
        // Beyond 32 KB the browser itself finds a target too long.
        #expect(text.hasPrefix(count < 10_000 ? "HTTP/1.1 200" : "HTTP/1.1 414"), "\(text.prefix(200))")
        let used = try await test.ask("GET /stores?unknown=1&\(query)")
        #expect(used.hasPrefix("HTTP/1.1 "))
    }

    @Test("connections on which nothing is asked, or only half of it, give way to those that ask (HAZ-62)")
    func idleConnections() async throws {
        var limits = ServerLimits()
        limits.connections = 50
        let test = try TestServer(limits: limits)
        var clients: [SocketClient] = []
        for number in 0..<200 {
            let client = try SocketClient(test.server.port)
            if number.isMultiple(of: 2) { await client.send("GET / HTTP/1.1\r\nHost: ") }
            clients.append(client)
        }
        let text = try await test.ask("GET /")
        #expect(text.hasPrefix("HTTP/1.1 200"))
        #expect(clients.count == 200)
    }

    @Test("scheme and host have no case, and the target may have both")
    func caseAndAbsoluteForm() async throws {
        let test = try TestServer()
        let port = test.server.port
        func ask(_ target: String, host: String, origin: String? = nil) async throws -> String {
            var lines = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
            lines += "Authorization: Bearer \(TestServer.token)\r\n" + (origin.map { "Origin: \($0)\r\n" } ?? "")
            return try await answer(to: lines + "\r\n", of: test)
        }
        for (target, host, origin) in [
            ("/", "LOCALHOST:\(port)", nil), ("/", "Localhost:\(port)", "HTTP://localhost:\(port)"),
            ("http://127.0.0.1:\(port)/", "127.0.0.1:\(port)", nil), ("HTTP://LocalHost:\(port)", "evil.example", nil),
            ("http://127.0.0.1:\(port)?a=b", "127.0.0.1:\(port)", nil),
        ] as [(String, String, String?)] {
            let text = try await ask(target, host: host, origin: origin)
            #expect(text.hasPrefix("HTTP/1.1 200"), "\(target) \(host) \(text.prefix(300))")
        }
        let foreign = try await ask("http://evil.example/", host: "127.0.0.1:\(port)")
        #expect(foreign.hasPrefix("HTTP/1.1 403"))
    }
}
