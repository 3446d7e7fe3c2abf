import CoreData
import CoreDataSyncing
import Foundation
import StoreContract
import Synchronization
import TestBasics
import Testing

/// A transport that does not give some of its items.
private final class BrokenTransport: SyncTransport {
    let whole: MemoryTransport
    let broken = Mutex<Set<String>>([])
    let code: SyncError.Code

    init(_ whole: MemoryTransport, _ code: SyncError.Code = .transport) {
        self.whole = whole
        self.code = code
    }

    var title: String { "broken" }
    func items() throws -> [SyncItem] { try whole.items() }
    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        guard !broken.withLock({ $0.contains(item.name) }) else {
            throw SyncError(code, "Cannot read '\(item.name)'.", cure: "Give this user the right to read it.")
        }
        return try whole.read(item, atMost: limit)
    }
    func write(_ bytes: [UInt8], named name: String) throws { try whole.write(bytes, named: name) }
    func remove(_ name: String) throws { try whole.remove(name) }
}

@Suite("Unreadable items", .timeLimit(.minutes(5)))
struct UnreadableItemTests {
    @Test("an item that is larger than frames may be is refused with that reason, unread (HAZ-58)")
    func tooLargeItems() async throws {
        let folder = try TemporaryFolder()
        let peer = try SyncPeer(over: FolderTransport(folder.url))
        try await peer.session.join()
        let file = folder.url.appendingPathComponent("large.ocsync")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 300 << 20)
        try handle.close()
        let refused = try await peer.session.exchange().refused
        #expect(refused.map(\.item) == ["large.ocsync"])
        #expect(refused.first?.reason.contains("more bytes than a frame may have") == true)
        let findings = try await peer.session.examine().findings
        #expect(findings.contains { $0.message.contains("more bytes than a frame may have") })
    }

    @Test("an item that cannot be read is reported once, the others are applied, and it is applied when it can")
    func othersGoOn() async throws {
        let transport = MemoryTransport()
        let broken = BrokenTransport(transport)
        let peers = [
            try SyncPeer(over: transport), try SyncPeer(over: broken), try SyncPeer(kind: .inMemory, over: transport),
        ]
        for peer in peers { try await peer.session.join() }
        try await settle(peers)
        let before = Set(transport.contents.keys)
        _ = peers[0].insert("Item", "hidden")
        try peers[0].save()
        _ = try await peers[0].session.exchange()
        let name = try #require(transport.contents.keys.first { !before.contains($0) && $0.contains("-t-") })
        broken.broken.withLock { $0 = [name] }
        _ = peers[2].insert("Item", "seen")
        try peers[2].save()
        // This peer has nothing of the item yet, so what it writes needs none of it.
        transport.contents[name] = nil
        _ = try await peers[2].session.exchange()
        _ = try await peers[0].session.exchange()
        let hidden = Set(transport.contents.keys.filter { $0.hasPrefix(name.prefix(16)) && $0.contains("-t-") })
        broken.broken.withLock { $0 = hidden.subtracting(before) }

        let summary = try await peers[1].session.exchange()
        #expect(Set(summary.refused.map(\.item)) == hidden.subtracting(before))
        #expect(try peers[1].dump().contains("label=seen"))
        #expect(!(try peers[1].dump().contains("label=hidden")))
        #expect(try await peers[1].session.exchange().refused.isEmpty)
        #expect(try await !peers[1].session.status().refusedItems.isEmpty)

        broken.broken.withLock { $0 = [] }
        try await settle(peers)
        #expect(try peers[1].dump().contains("label=hidden"))
        #expect(try await peers[1].session.status().refusedItems.isEmpty)
    }

    @Test("an item that the transport refuses for good is reported once, and read again when it has changed")
    func refusedItemIsKept() async throws {
        let transport = MemoryTransport()
        let broken = BrokenTransport(transport, .refusedItem)
        let peers = [try SyncPeer(over: transport), try SyncPeer(over: broken)]
        for peer in peers { try await peer.session.join() }
        try await settle(peers)
        transport.contents["hostile.ocsync"] = [1, 2, 3]
        broken.broken.withLock { $0 = ["hostile.ocsync"] }
        #expect(try await peers[1].session.exchange().refused.map(\.item) == ["hostile.ocsync"])
        #expect(try await peers[1].session.exchange().refused.isEmpty)
        let status = try await peers[1].session.status()
        #expect(status.refusedItems == ["hostile.ocsync"] && status.incomingBytes == 0)
        transport.contents["hostile.ocsync"] = [1, 2, 3, 4]
        #expect(try await peers[1].session.exchange().refused.map(\.item) == ["hostile.ocsync"])
    }
}
