import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@Suite("Folders of a hub that others use too")
struct SharedFolderTests {
    private func folder(_ test: TestHub, _ group: String = "group") throws -> FolderTransport {
        let url = test.data.appendingPathComponent("groups/\(group)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return FolderTransport(url)
    }

    @Test("what a peer of the folder writes is an item of the hub at once, and the other way round (SYNC-01)")
    func filesAreItems() throws {
        let test = try TestHub()
        let client = try test.client()
        try client.write(content(1), named: "a.ocsync")
        let folder = try folder(test)
        for number in 0..<20 {
            try folder.write(content(number), named: "\(number).ocsync")
            let names = try client.items().map(\.name)
            #expect(Set(names) == Set(["a.ocsync"] + (0...number).map { "\($0).ocsync" }))
        }
        let items = try client.items()
        let item = try #require(items.first { $0.name == "7.ocsync" })
        let bytes = try client.read(item, atMost: 1_000)
        #expect(bytes == content(7))
        let names = Set(try folder.items().map(\.name))
        #expect(names == Set(items.map(\.name)))
        try folder.remove("3.ocsync")
        try client.remove("4.ocsync")
        for transport in [client, folder] as [any SyncTransport] {
            let left = Set(try transport.items().map(\.name))
            #expect(left == names.subtracting(["3.ocsync", "4.ocsync"]))
        }
    }

    @Test("a client that waits is called for a file of the folder, also of a group that the hub did not have")
    func waitingClientIsCalled() async throws {
        let test = try TestHub()
        for group in ["group", "new"] {
            let (waiting, calls) = (try test.client(group: group), Calls())
            _ = try waiting.items()
            #expect(waiting.watch { calls.add() })
            await eventually("the waiting") { test.hub.requests.waiting == 1 }
            let folder = try folder(test, group)
            try folder.write(content(1), named: "a.ocsync")
            await eventually("the call") { calls.count > 0 }
            await eventually("the item") { (try? waiting.items().count) == 1 }
            _ = waiting.watch(nil)
            await eventually("the end of the waiting") { test.hub.requests.open == 0 }
        }
    }

    @Test("files of others count against the quota, and files that are not items are left alone")
    func filesCount() throws {
        let test = try TestHub { $0.quota = 10_000 }
        let (client, folder) = (try test.client(), try folder(test))
        try folder.write(content(1, 6_000), named: "a.ocsync")
        try Data([1]).write(to: test.data.appendingPathComponent("groups/group/notes.txt"))
        #expect(try client.items().map(\.name) == ["a.ocsync"])
        #expect(throws: SyncError.self) { try client.write(content(2, 6_000), named: "b.ocsync") }
        try folder.remove("a.ocsync")
        #expect(try client.items().isEmpty)
        try client.write(content(2, 6_000), named: "b.ocsync")
        #expect(try client.items().map(\.name) == ["b.ocsync"])
        #expect(test.files().contains("notes.txt"))
    }
}
