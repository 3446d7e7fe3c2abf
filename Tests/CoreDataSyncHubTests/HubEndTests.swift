import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncing
import Dispatch
import Foundation
import TestBasics
import Testing

@Suite("The end of a hub")
struct HubEndTests {
    /// Items of which the hub has said that they are on its disk, and the bytes of each.
    private final class Written: @unchecked Sendable {
        private let lock = NSLock()
        private var items: [String: [UInt8]] = [:]

        var all: [String: [UInt8]] { lock.withLock { items } }

        func add(_ name: String, _ bytes: [UInt8]) { lock.withLock { items[name] = bytes } }
    }

    /// Writes items until the hub is gone.
    private static func write(_ prefix: String, to address: String, _ written: Written) {
        guard let client = try? HubTransport(address) else { return }
        for step in 0..<100_000 {
            let name = "\(prefix)-\(step).ocsync"
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: size(step))
            guard (try? client.write(bytes, named: name)) != nil else { return }
            written.add(name, bytes)
        }
    }

    private static func size(_ step: Int) -> Int { 1 + step * 997 % 60_000 }

    @Test("a hub that is killed while it is written to has what it acknowledged, whole, and nothing in part")
    func killedHubKeepsItems() throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appendingPathComponent("hub")
        let written = Written()
        for round in 0..<5 {
            let child = try Child([data.path, "plain"], of: Child.url("HubChild"))
            let address = try #require(child.line())
            let writing = DispatchGroup()
            for writer in 0..<4 {
                DispatchQueue.global().async(group: writing) {
                    Self.write("\(round)-\(writer)", to: address, written)
                }
            }
            eventually("some writes") { written.all.count > 30 * (round + 1) }
            child.kill()
            writing.wait(for: "the end of the writers")
        }
        let test = try TestHub(in: folder) { $0.security = .plainOnLoopback }
        let client = try HubTransport(test.hub.address(of: "group"))
        let items = Dictionary(uniqueKeysWithValues: try client.items().map { ($0.name, $0) })
        for (name, bytes) in written.all {
            let item = try #require(items[name])
            #expect(try client.read(item, atMost: 1 << 20) == bytes)
        }
        // What was on the disk when the hub was killed, and not yet acknowledged, is whole too.
        for item in items.values where written.all[item.name] == nil {
            let step = try #require(Int(item.name.dropLast(7).split(separator: "-")[2]))
            #expect(item.size == Self.size(step))
        }
        #expect(test.files().allSatisfy { $0.hasSuffix(".ocsync") && !$0.hasPrefix(".") })
    }

    @Test("on SIGTERM waiting clients are answered, an item that is being sent arrives, and the hub ends")
    func hubEndsGracefully() async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appendingPathComponent("hub")
        let child = try Child([data.path, "plain"], of: Child.url("HubChild"))
        let address = try #require(child.line())
        let port = try #require(URL(string: address)?.port)
        let list = try RawClient(port: port)
        list.send("GET /group HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let cursor = try #require(list.receive().components(separatedBy: "hub 1 ").last?.split(separator: " ").first)
        let waiting = try RawClient(port: port)
        waiting.send("GET /group?since=\(cursor)&wait=50 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let sending = try RawClient(port: port)
        sending.send("PUT /group/a.ocsync HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345")
        let group = data.appendingPathComponent("groups/group").path
        await eventually("the part on the disk") {
            (try? FileManager.default.contentsOfDirectory(atPath: group))?.count == 1
        }
        child.send(SIGTERM)
        let answer = waiting.receive()
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("changes\nend 0\n"))
        #expect(answer.contains("Connection: close"))
        sending.send("67890")
        #expect(sending.receive().hasPrefix("HTTP/1.1 201 "))
        #expect(child.line() == "ended")
        #expect(child.status() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: group) == ["a.ocsync"])
    }

    @Test("a hub that is ended refuses new requests, and abandons those that do not end in time")
    func stopAbandons() async throws {
        let test = try TestHub { $0.security = .plainOnLoopback }
        let sending = try RawClient(port: test.hub.port)
        sending.send("PUT /group/a.ocsync HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345")
        await eventually("the part on the disk") { test.files().count == 1 }
        test.hub.stop(finishingWithin: .milliseconds(50))
        #expect(sending.hubCloses())
        #expect(test.files().isEmpty)
        #expect(throws: (any Error).self) { try RawClient(port: test.hub.port) }
    }

    @Test("two hubs do not use one folder, and one that has ended leaves it")
    func foldersAreLocked() throws {
        let test = try TestHub()
        #expect(throws: SyncError.self) { try TestHub(in: test.folder) }
        test.hub.stop(finishingWithin: .zero)
        let pin = test.hub.pin
        #expect(try TestHub(in: test.folder).hub.pin == pin)
    }

    @Test("a full hub says so, and has room again once something is removed")
    func fullHubSaysSo() throws {
        let test = try TestHub { settings in
            settings.quota = 10_000
            settings.itemsPerGroup = 3
            settings.groups = 2
        }
        let client = try test.client()
        try client.write(content(1, 6_000), named: "a.ocsync")
        let full = #expect(throws: SyncError.self) { try client.write(content(2, 6_000), named: "b.ocsync") }
        #expect(full?.code == .transport && full?.description.contains("no room") == true)
        #expect(full?.cure.contains("quota") == true)
        try client.remove("a.ocsync")
        try client.write(content(2, 6_000), named: "b.ocsync")
        for name in ["c", "d"] { try client.write([1], named: "\(name).ocsync") }
        #expect(throws: SyncError.self) { try client.write([1], named: "e.ocsync") }
        try client.write([2], named: "d.ocsync")
        try test.client(group: "second").write([1], named: "a.ocsync")
        let third = try test.client(group: "third")
        #expect(throws: SyncError.self) { try third.write([1], named: "a.ocsync") }
        #expect(test.files() == ["b.ocsync", "c.ocsync", "d.ocsync"])
    }
}
