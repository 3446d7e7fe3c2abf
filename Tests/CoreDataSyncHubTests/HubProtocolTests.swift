import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncing
import Foundation
import HTTPServerKit
import TestBasics
import Testing

@Suite("Requests to a hub")
struct HubProtocolTests {
    private func request(_ port: Int, _ line: String, _ fields: [String] = [], body: String = "") throws -> String {
        let client = try RawClient(port: port)
        let head = ["\(line) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields
        client.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return client.receive()
    }

    private func plain(_ change: (inout HubSettings) -> Void = { _ in }) throws -> TestHub {
        try TestHub { settings in
            settings.security = .plainOnLoopback
            change(&settings)
        }
    }

    @Test("HEAD has the fields of GET, and nothing behind them")
    func headHasNoBody() throws {
        let test = try plain()
        let port = test.hub.port
        #expect(try request(port, "PUT /g/a.ocsync", ["Content-Length: 5"], body: "hello").hasPrefix("HTTP/1.1 201 "))
        for target in ["/g/a.ocsync", "/g", "/g?since=0123456789abcdef.0&wait=50"] {
            let whole = try request(port, "GET \(target)")
            let head = try request(port, "HEAD \(target)")
            #expect(head.hasSuffix("\r\n\r\n") && head.components(separatedBy: "\r\n\r\n").count == 2)
            let length = { (text: String) in
                text.components(separatedBy: "\r\n").first { $0.hasPrefix("Content-Length:") }
            }
            #expect(length(head) != nil && length(head) == length(whole))
        }
        let client = try RawClient(port: port)
        client.send("HEAD /g HTTP/1.1\r\nHost: localhost\r\n\r\nGET /g/a.ocsync HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.receive(until: "hello").components(separatedBy: "HTTP/1.1 200").count == 3)
    }

    @Test("ranges give parts, and those behind the end are refused")
    func rangesGiveParts() throws {
        let test = try plain()
        let port = test.hub.port
        _ = try request(port, "PUT /g/a.ocsync", ["Content-Length: 10"], body: "0123456789")
        for (range, status, body) in [
            ("bytes=2-4", "206", "234"), ("bytes=7-", "206", "789"), ("bytes=0-99", "206", "0123456789"),
            ("bytes=10-", "416", ""), ("bytes=5-2", "200", "0123456789"), ("bytes=-3", "200", "0123456789"),
            ("lines=1-2", "200", "0123456789"), ("bytes=99999999999999999999-", "200", "0123456789"),
        ] {
            let answer = try request(port, "GET /g/a.ocsync", ["Range: \(range)"])
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(range)")
            #expect(answer.components(separatedBy: "\r\n\r\n").last == body, "\(range)")
        }
    }

    @Test(
        "requests that a hub does not know are refused",
        arguments: [
            ("GET /", 404), ("GET /UPPER", 404), ("GET /../g", 404), ("GET /g/../../etc/passwd", 404),
            ("GET /g/%2e%2e", 400), ("GET /g/.x.ocsync", 400), ("GET /g?since=x", 400), ("GET /g?what=1", 400),
            ("GET /g/a.ocsync", 404), ("DELETE /g/a.ocsync", 404), ("PUT /g", 405), ("DELETE /g", 405),
            ("POST /g", 405),
            ("OPTIONS /g", 405), ("GET http://127.0.0.1/g", 404),
        ])
    func strangeRequestsAreRefused(line: String, status: Int) throws {
        let test = try plain()
        #expect(try request(test.hub.port, line).hasPrefix("HTTP/1.1 \(status) "), "\(line)")
        #expect(test.files("g").isEmpty)
    }

    @Test("bodies without one length are refused, and no item is made of them")
    func doubtfulBodiesAreRefused() throws {
        let test = try plain { $0.itemBytes = 1_000 }
        let port = test.hub.port
        let chunked = try request(
            port, "PUT /g/a.ocsync", ["Transfer-Encoding: chunked"], body: "5\r\nhello\r\n0\r\n\r\n")
        #expect(chunked.hasPrefix("HTTP/1.1 411 "))
        let twice = try request(port, "PUT /g/a.ocsync", ["Content-Length: 5", "Content-Length: 6"], body: "hello")
        #expect(twice.hasPrefix("HTTP/1.1 400 "))
        let large = try request(
            port, "PUT /g/a.ocsync", ["Content-Length: 1001"], body: String(repeating: "x", count: 1_001))
        #expect(large.hasPrefix("HTTP/1.1 413 "))
        let announced = try request(port, "PUT /g/a.ocsync", ["Content-Length: 99999999", "Expect: 100-continue"])
        #expect(announced.hasPrefix("HTTP/1.1 413 "))
        let asked = try request(port, "GET /g", ["Content-Length: 2"], body: "hi")
        #expect(asked.hasPrefix("HTTP/1.1 400 "))
        #expect(test.files("g").isEmpty)
    }

    @Test("an upload that breaks off leaves nothing, and its room is free again")
    func brokenUploadLeavesNothing() async throws {
        let test = try plain { $0.quota = 1_000 }
        let port = test.hub.port
        for _ in 0..<3 {
            let client = try RawClient(port: port)
            client.send("PUT /g/a.ocsync HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n")
            client.send(String(repeating: "x", count: 500))
            await eventually("the part on the disk") { test.files("g").count == 1 }
            #expect(test.files("g").allSatisfy { $0.hasPrefix(".") })
            let other = try request(
                port, "PUT /g/b.ocsync", ["Content-Length: 200"], body: String(repeating: "y", count: 200))
            #expect(other.hasPrefix("HTTP/1.1 507 "))
        }
        await eventually("the end of all parts") { test.files("g").isEmpty }
        #expect(try request(port, "GET /g").hasSuffix(" whole\nend 0\n"))
        let whole = try request(
            port, "PUT /g/a.ocsync", ["Content-Length: 900"], body: String(repeating: "x", count: 900))
        #expect(whole.hasPrefix("HTTP/1.1 201 "))
    }

    @Test("who sends slowly, or nothing, is not waited for")
    func slowClientsAreEnded() throws {
        let test = try plain { settings in
            settings.connections.idleSeconds = 1
            settings.connections.bodySeconds = 0.4
            settings.graceSeconds = 0.2
        }
        let silent = try RawClient(port: test.hub.port)
        let head = try RawClient(port: test.hub.port)
        head.send("GET /g HTTP/1.1\r\nHost: lo")
        let body = try RawClient(port: test.hub.port)
        body.send("PUT /g/a.ocsync HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nx")
        let trickle = try RawClient(port: test.hub.port)
        trickle.send("PUT /g/b.ocsync HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n")
        // Each byte comes before the connection counts as silent.
        var sent = 0
        while trickle.send("x"), sent < 600 {
            sent += 1
            usleep(50_000)
        }
        #expect(sent < 600)
        #expect(silent.hubCloses() && head.hubCloses() && body.hubCloses())
        #expect(test.files("g").filter { !$0.hasPrefix(".") }.isEmpty)
    }

    @Test("over plain HTTP the hub has the names of this machine alone, and listens nowhere else")
    func plainHubIsOfThisMachine() throws {
        let test = try plain()
        let client = try RawClient(port: test.hub.port)
        client.send("GET /g HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        #expect(client.receive().hasPrefix("HTTP/1.1 421 "))
        #expect(throws: SyncError.self) { try plain { $0.host = "0.0.0.0" } }
        #expect(throws: SyncError.self) { try plain { $0.port = test.hub.port } }
        #expect(throws: SyncError.self) { try HubTransport("http://192.168.1.7:80/group") }
    }
}
