import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@Suite("Waiting for changes of a hub")
struct HubChangeTests {
    @Test("a waiting client is called for each change without asking in between")
    func waitingClientIsCalled() async throws {
        let test = try TestHub()
        let (writer, waiting) = (try test.client("writer"), try test.client("waiting"))
        _ = try waiting.items()
        let calls = Calls()
        #expect(waiting.watch { calls.add() })
        for number in 0..<5 {
            await eventually("the waiting") { test.hub.requests.waiting == 1 }
            #expect(calls.count == number)
            if number == 3 { try writer.remove("0.ocsync") } else { try writer.write([1], named: "\(number).ocsync") }
            await eventually("the call") { calls.count == number + 1 }
        }
        #expect(try waiting.items().count == 3)
        await eventually("the waiting") { test.hub.requests.waiting == 1 }
        // Five changes, two lists, five waits that ended and one that goes on.
        #expect(test.hub.requests.begun == 13)
        _ = waiting.watch(nil)
        await eventually("the end of the waiting") { test.hub.requests.open == 0 }
        try writer.write([1], named: "last.ocsync")
        #expect(calls.count == 5)
    }

    @Test("two hundred clients wait without a thread each, and all are called")
    func manyClientsWait() async throws {
        let test = try TestHub { $0.security = .plainOnLoopback }
        let writer = try HubTransport(test.hub.address(of: "group"))
        try writer.write([1], named: "a.ocsync")
        let cursor = try cursor(of: test)
        func threads() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
        let before = try threads()
        let clients = try (0..<200).map { _ in try RawClient(port: test.hub.port) }
        for client in clients {
            client.send("GET /group?since=\(cursor)&wait=50 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
        await eventually("all waiting") { test.hub.requests.waiting == 200 }
        #expect(try threads() < before + 80)
        try writer.write([1], named: "b.ocsync")
        for client in clients { #expect(client.receive(until: "end 1\n").hasSuffix(" b.ocsync\nend 1\n")) }
        await eventually("the end of the waiting") { test.hub.requests.open == 0 }
    }

    @Test("a client that leaves while it waits is noticed, and changes of other groups wake none")
    func leavingIsNoticed() async throws {
        let test = try TestHub { $0.security = .plainOnLoopback }
        let writer = try HubTransport(test.hub.address(of: "other"))
        var client: RawClient? = try RawClient(port: test.hub.port)
        client?.send("GET /group?since=\(try cursor(of: test))&wait=50 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await eventually("the waiting") { test.hub.requests.waiting == 1 }
        try writer.write([1], named: "a.ocsync")
        #expect(test.hub.requests.waiting == 1)
        client = nil
        await eventually("the end of the waiting") { test.hub.requests.waiting == 0 && test.hub.requests.open == 0 }
    }

    @Test("a wait ends with an empty list when its time is over")
    func waitEnds() throws {
        let test = try TestHub { settings in
            settings.security = .plainOnLoopback
            settings.waitSeconds = 0.1
        }
        let client = try RawClient(port: test.hub.port)
        let cursor = try cursor(of: test)
        client.send("GET /group?since=\(cursor)&wait=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.receive(until: "end 0\n").hasSuffix("opencoredata-hub 1 \(cursor) changes\nend 0\n"))
    }

    @Test("who knows an old state gets what changed; who knows one too old, of the future or of another run gets all")
    func listsSayWhatChanged() throws {
        let test = try TestHub { settings in
            settings.security = .plainOnLoopback
            settings.keptChanges = 4
        }
        let client = try HubTransport(test.hub.address(of: "group"))
        let first = try cursor(of: test)
        for number in 0..<3 { try client.write([1], named: "\(number).ocsync") }
        try client.remove("1.ocsync")
        func list(_ cursor: String) throws -> HubList {
            let raw = try RawClient(port: test.hub.port)
            raw.send("GET /group?since=\(cursor) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let body = raw.receive().components(separatedBy: "\r\n\r\n").last ?? ""
            return try #require(HubList(reading: Array(body.utf8)))
        }
        let changes = try list(first)
        #expect(!changes.isWhole && Set(changes.items.map(\.name)) == ["0.ocsync", "2.ocsync"])
        #expect(changes.removed == ["1.ocsync"])
        #expect(try list("\(changes.cursor)").isEmpty)
        let run = changes.cursor.run
        #expect(try list("\(run).99").isWhole)
        #expect(try list("0000000000000000.1").isWhole)
        for number in 3..<12 { try client.write([1], named: "\(number).ocsync") }
        #expect(try list(first).isWhole)
        #expect(try client.items().count == 11)
    }

    /// The present state of the group.
    private func cursor(of test: TestHub) throws -> String {
        let client = try RawClient(port: test.hub.port)
        client.send("GET /group HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let words = client.receive().components(separatedBy: "opencoredata-hub 1 ").last?.split(separator: " ")
        return String(try #require(words?.first))
    }
}
