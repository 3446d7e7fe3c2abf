import CoreDataSyncHub
import CoreDataSyncing
import Foundation
import TestBasics
import TestServers
import Testing

@Suite("Hubs that misbehave")
struct MisbehavingHubTests {
    private static let head = "opencoredata-hub 1 0123456789abcdef.3"

    /// A client of a hub that answers as a block does.
    private func client(
        _ handler: @escaping @Sendable (ScriptedServer.Request, ScriptedServer.Reply) throws -> Void
    ) throws -> (HubTransport, ScriptedServer) {
        let server = try ScriptedServer(handler)
        return (try HubTransport("http://127.0.0.1:\(server.port)/group"), server)
    }

    @Test(
        "damaged lists are refused, and nothing of them is applied",
        arguments: [
            "", "hello", "opencoredata-hub 2 0123456789abcdef.3 whole\nend 0\n", "\(head) whole\n",
            "\(head) whole\nend 0",
            "\(head) whole\nend 1\n", "\(head) some\nend 0\n", "\(head) whole\n+ 5 1.1 a.ocsync\nend 2\n",
            "\(head) whole\n+ -5 1.1 a.ocsync\nend 1\n", "\(head) whole\n+ 99999999999999999999 1.1 a.ocsync\nend 1\n",
            "\(head) whole\n+ 9223372036854775807 1.1 a.ocsync\nend 1\n", "\(head) whole\n+ 5 1.1 ../a.ocsync\nend 1\n",
            "\(head) whole\n+ 5 x a.ocsync\nend 1\n", "\(head) whole\n- a.ocsync\nend 1\n",
            "\(head) whole\n+ 5 1.1\nend 1\n",
            "\(head) changes\nend 0\n", "opencoredata-hub 1 0123.3 whole\nend 0\n",
            "opencoredata-hub 1 0123456789abcdef.18446744073709551616 whole\nend 0\n",
            "\(head) whole\n+ 5 1.1 a.ocsync\n\u{0}\nend 2\n", "\(head) whole\r\nend 0\r\n",
        ])
    func garbageListsAreRefused(text: String) throws {
        let (client, server) = try client { _, reply in try reply.respond(text: text) }
        defer { server.stop() }
        let error = #expect(throws: SyncError.self) { try client.items() }
        #expect(error?.description.contains("no list of items") == true)
    }

    @Test("a damaged list after a good one leaves the good one, from which the client goes on")
    func goodListStays() throws {
        let answers = Answers([
            "\(Self.head) whole\n+ 5 1.1 a.ocsync\nend 1\n", "\(Self.head) changes\n+ 5 1.1 B.ocsync\nend 1\n",
            "opencoredata-hub 1 fedcba9876543210.3 changes\n+ 5 1.1 c.ocsync\nend 1\n",
            "opencoredata-hub 1 0123456789abcdef.4 changes\n+ 7 2.1 d.ocsync\n- a.ocsync\nend 2\n",
        ])
        let (client, server) = try client { _, reply in try reply.respond(text: answers.next()) }
        defer { server.stop() }
        #expect(try client.items().map(\.name) == ["a.ocsync"])
        #expect(throws: SyncError.self) { try client.items() }
        #expect(throws: SyncError.self) { try client.items() }
        #expect(try client.items().map(\.name) == ["d.ocsync"])
        #expect(server.requests.map(\.target).dropFirst().allSatisfy { $0 == "/group?since=0123456789abcdef.3" })
    }

    @Test("items of a wrong length are refused", arguments: [3, 5, 4_000_000])
    func wrongLengthsAreRefused(count: Int) throws {
        let (client, server) = try client { _, reply in try reply.respond(body: Data(count: count)) }
        defer { server.stop() }
        let error = #expect(throws: SyncError.self) {
            try client.read(SyncItem(name: "a.ocsync", size: 4, stamp: "1"), atMost: 1_000)
        }
        let reason = count < 1_000 ? "it sent \(count) bytes of an item of 4" : "more than was asked for"
        #expect(error?.description.contains(reason) == true)
    }

    @Test("a body that ends early is refused")
    func shortBodyIsRefused() throws {
        let (client, server) = try client { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
            reply.close()
        }
        defer { server.stop() }
        #expect(throws: SyncError.self) { try client.items() }
        #expect(throws: SyncError.self) {
            try client.read(SyncItem(name: "a.ocsync", size: 100, stamp: "1"), atMost: 1_000)
        }
    }

    @Test("an endless body is read no further than what was asked for")
    func endlessBodyIsBounded() throws {
        let sent = Calls()
        let (client, server) = try client { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
            while true {
                try reply.send(chunk)
                sent.add()
            }
        }
        defer { server.stop() }
        #expect(throws: SyncError.self) {
            try client.read(SyncItem(name: "a.ocsync", size: 1_000, stamp: "1"), atMost: 100_000)
        }
        // What the system keeps of a connection's bytes is a few megabytes at most.
        #expect(sent.count < 1_000)
    }

    @Test(
        "redirects are not followed, and statuses of failures are errors that say so",
        arguments: [
            301, 302, 307, 400, 404, 418, 429, 500, 502, 503, 507,
        ])
    func statusesAreErrors(status: Int) throws {
        let other = try ScriptedServer { _, reply in try reply.respond(text: "\(Self.head) whole\nend 0\n") }
        let (client, server) = try client { _, reply in
            try reply.respond(status, ["Location: \(other.url("/group"))"], text: "no")
        }
        defer { server.stop() }
        let error = #expect(throws: SyncError.self) { try client.items() }
        #expect(error?.code == .transport && error?.cure.isEmpty == false)
        #expect(error?.description.contains("cannot be reached") == false)
        #expect(throws: SyncError.self) { try client.write([1, 2], named: "a.ocsync") }
        #expect(other.requests.isEmpty)
    }

    @Test("an answer that is not HTTP, or none at all, is an error")
    func noiseIsAnError() throws {
        let (noise, noiseServer) = try client { _, reply in
            try reply.send("SSH-2.0-OpenSSH_9.2\r\n")
            reply.close()
        }
        defer { noiseServer.stop() }
        #expect(throws: SyncError.self) { try noise.items() }
        let (silent, silentServer) = try client { _, reply in reply.close() }
        defer { silentServer.stop() }
        #expect(throws: SyncError.self) { try silent.items() }
        let (endless, server) = try client { _, reply in
            while true {
                try reply.send("HTTP/1.1 200 OK\r\nX-Field: " + String(repeating: "y", count: 60_000) + "\r\n")
            }
        }
        #expect(throws: SyncError.self) { try endless.items() }
        server.stop()
    }

    @Test("a hub that answers waiting clients at once is asked no more than once a second")
    func hastyHubIsNotAskedOften() async throws {
        let (client, server) = try client { request, reply in
            let kind = request.target.contains("since") ? "changes" : "whole"
            try reply.respond(text: "\(Self.head) \(kind)\nend 0\n")
        }
        defer { server.stop() }
        _ = try client.items()
        let calls = Calls()
        #expect(client.watch { calls.add() })
        await eventually("two requests that wait") { server.requests.count >= 3 }
        #expect(server.requests.count < 8)
        _ = client.watch(nil)
        #expect(calls.count == 0)
    }

    @Test("a transport that waits is released with its last reference")
    func waitingTransportIsReleased() async throws {
        let (made, server) = try client { _, reply in _ = reply.clientCloses(within: 20) }
        var client: HubTransport? = made
        weak let released = client
        #expect(client?.watch {} == true)
        await eventually("the request") { server.requests.count == 1 }
        client = nil
        _ = consume made
        await eventually("the end of the connection") { server.openConnectionCount == 0 }
        #expect(released == nil)
    }
}

/// Answers that are given one after the other.
private final class Answers: @unchecked Sendable {
    private let lock = NSLock()
    private var left: [String]

    init(_ answers: [String]) { left = answers }

    func next() -> String { lock.withLock { left.isEmpty ? "" : left.removeFirst() } }
}
