import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@Suite("Transport over a hub")
struct HubTransportTests {
    /// What a transport says of its items, without what differs from place to place.
    private func contents(_ transport: any SyncTransport) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for item in try transport.items() {
            let bytes = try #require(try transport.read(item, atMost: 1 << 20))
            #expect(bytes.count == item.size)
            contents[item.name] = bytes
        }
        return contents
    }

    @Test("a hub gives the results of a folder for the same random operations (SYNC-10)", arguments: [true, false])
    func hubEqualsFolder(isSecure: Bool) throws {
        let test = try TestHub { $0.security = isSecure ? .pinnedKeys : .plainOnLoopback }
        let hub = isSecure ? try test.client() : try HubTransport(test.hub.address(of: "group"))
        let folder = FolderTransport(test.folder.url.appendingPathComponent("shared"))
        var random = SeededRandom(seed: TestSeed.first)
        #expect(try hub.items().isEmpty && folder.items().isEmpty)
        var stamps: [String: String] = [:]
        for step in 0..<120 {
            let name = "item-\(Int.random(in: 0..<12, using: &random)).ocsync"
            switch Int.random(in: 0..<6, using: &random) {
            case 0..<3:
                let bytes = content(step, Int.random(in: 0..<3_000, using: &random))
                for transport in [hub, folder] as [any SyncTransport] { try transport.write(bytes, named: name) }
            case 3:
                for transport in [hub, folder] as [any SyncTransport] { try transport.remove(name) }
            case 4:
                let item = SyncItem(
                    name: name, size: try folder.items().first { $0.name == name }?.size ?? 5, stamp: "1")
                let limit = Int.random(in: 0..<2_000, using: &random)
                #expect(try hub.read(item, atMost: limit) == folder.read(item, atMost: limit))
            default:
                #expect(try contents(hub) == contents(folder))
                let new = Dictionary(uniqueKeysWithValues: try hub.items().map { ($0.name, $0.stamp) })
                let again = try (isSecure ? test.client("tablet") : HubTransport(test.hub.address(of: "group"))).items()
                #expect(Dictionary(uniqueKeysWithValues: again.map { ($0.name, $0.stamp) }) == new)
                stamps = new
            }
        }
        #expect(!stamps.isEmpty)
        #expect(try contents(hub) == contents(folder))
    }

    @Test("stamps and items are the same after the hub has started again, and changes in between are seen")
    func hubStartsAnew() throws {
        let folder = try TemporaryFolder()
        var test = try TestHub(in: folder)
        let port = test.hub.port
        let client = try test.client()
        for number in 0..<5 { try client.write(content(number), named: "\(number).ocsync") }
        let before = Set(try client.items())
        test.hub.stop(finishingWithin: .seconds(5))
        #expect(throws: SyncError.self) { try client.items() }
        test = try TestHub(in: folder) { $0.port = port }
        #expect(Set(try client.items()) == before)
        try client.remove("3.ocsync")
        try client.write(content(9, 10), named: "4.ocsync")
        let after = Set(try client.items())
        #expect(after.intersection(before).map(\.name).sorted() == ["0.ocsync", "1.ocsync", "2.ocsync"])
        #expect(after.count == 4)
    }

    @Test("a large item arrives whole, and its beginning by a range")
    func largeItemArrives() throws {
        let test = try TestHub()
        let client = try test.client()
        let bytes = [UInt8](repeating: 7, count: 5_000_000) + [1, 2, 3]
        try client.write(bytes, named: "large.ocsync")
        let item = try #require(try client.items().first)
        #expect(try client.read(item, atMost: 1 << 30) == bytes)
        #expect(try client.read(item, atMost: 1_000_001) == Array(bytes.prefix(1_000_001)))
        #expect(try client.read(SyncItem(name: "none.ocsync", size: 3, stamp: "1"), atMost: 10) == nil)
    }

    @Test("eight clients write, read and remove at once, and see the same at the end")
    func eightClientsAtOnce() async throws {
        let test = try TestHub()
        let clients = try (0..<8).map { try test.client("device\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask {
                    for step in 0..<20 {
                        try client.write(content(step, 500 * step), named: "\(number)-\(step).ocsync")
                        if step % 4 == 3 { try client.remove("\(number)-\(step - 1).ocsync") }
                        for item in try client.items() where item.name.hasSuffix("-\(step).ocsync") {
                            let bytes = try client.read(item, atMost: 1 << 20)
                            guard bytes == nil || bytes == content(step, 500 * step) else {
                                Issue.record("\(item.name) has other bytes")
                                return
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let expected = Set(
            (0..<8).flatMap { number in
                (0..<20).filter { $0 % 4 != 2 }.map { "\(number)-\($0).ocsync" }
            })
        for client in clients { #expect(Set(try client.items().map(\.name)) == expected) }
        #expect(test.files() == expected)
        await eventually("the end of all requests") { test.hub.requests.open == 0 }
    }

    @Test(
        "names that lead elsewhere, or that no item has, are refused",
        arguments: [
            "../key.pem", "a/b.ocsync", ".hidden.ocsync", "UPPER.ocsync", "plain.txt", "x.ocsync.part", "é.ocsync", "",
            String(repeating: "a", count: 300) + ".ocsync",
        ])
    func wrongNamesAreRefused(name: String) throws {
        let test = try TestHub()
        let client = try test.client()
        #expect(throws: SyncError.self) { try client.write([1], named: name) }
        #expect(test.files().isEmpty)
        let others = Set(try FileManager.default.contentsOfDirectory(atPath: test.data.path))
            .subtracting(["groups", "key.pem", "key.pem.lock", "admitted-keys", "admitted-keys.lock", "lock"])
        #expect(others.isEmpty, "\(others)")
    }

    @Test("groups are apart")
    func groupsAreApart() throws {
        let test = try TestHub()
        let (family, work) = (try test.client(group: "family"), try test.client(group: "work"))
        try family.write([1], named: "a.ocsync")
        #expect(try work.items().isEmpty)
        #expect(try family.items().count == 1)
    }
}
