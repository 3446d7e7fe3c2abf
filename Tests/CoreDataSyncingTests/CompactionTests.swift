import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Compaction and contents of transports")
struct CompactionTests {
    private func change(_ peer: SyncPeer, _ count: Int) throws {
        let item = try peer.find("Item", "one")
        peer.context.performAndWait { item.setValue(count, forKey: "count") }
        try peer.save()
    }

    @Test("what all peers have is forgotten and removed; what one lacks stays, in one item (SYNC-14)")
    func compaction() async throws {
        let transport = MemoryTransport()
        let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport))
        _ = first.insert("Item", "one")
        let gone = first.insert("Item", "gone")
        try first.save()
        for peer in [first, second] { try await peer.session.join() }
        try await settle([first, second])
        first.context.performAndWait { first.context.delete(gone) }
        try first.save()
        for count in 1...9 {
            try change(first, count)
            try await first.session.exchange()
        }
        let lacking = try await first.session.compact()
        #expect(lacking.itemsBefore > lacking.itemsAfter && lacking.itemsAfter >= 2)
        #expect(lacking.bytesBefore > lacking.bytesAfter)
        #expect(lacking.transactionsAfter >= 9 && lacking.deletedObjectsAfter == 1)
        try await settle([second, first])
        #expect(try second.dump() == first.dump() && second.dump().contains("count=9 "))
        let done = try await first.session.compact()
        #expect(done.transactionsAfter == 0 && done.deletedObjectsAfter == 0)
        let contents = try await first.session.contents()
        #expect(contents.peers.allSatisfy { $0.logBytes == 0 } && contents.peers.count == 2)
        #expect(contents.bytes == done.bytesAfter && contents.bytes == contents.peers.reduce(0) { $0 + $1.bytes })
        try change(second, 10)
        try await settle([second, first])
        #expect(try second.dump() == first.dump() && first.dump().contains("count=10 "))
    }

    @Test("what a forgotten peer wrote is removed, and others still get what they lack of it (SYNC-14)")
    func removal() async throws {
        let transport = MemoryTransport()
        let peers = try (0..<3).map { _ in try SyncPeer(over: transport) }
        _ = peers[0].insert("Item", "one")
        try peers[0].save()
        for peer in peers { try await peer.session.join() }
        try await settle(peers)
        try change(peers[2], 5)
        try await peers[2].session.exchange()
        try await peers[0].session.exchange()
        let lost = try await peers[2].session.status().identity
        await #expect { try await peers[0].session.removeItems(of: lost) } throws: {
            ($0 as? SyncError)?.code == .unknownItem && "\($0)".contains("takes part")
        }
        try await peers[0].session.forget(lost)
        let before = try await peers[0].session.contents()
        #expect(before.peers.first { $0.identity == lost }?.state == .forgotten)
        let removed = try await peers[0].session.removeItems(of: lost)
        #expect(removed == before.peers.first { $0.identity == lost }?.bytes && removed > 0)
        let after = try await peers[0].session.contents()
        #expect(!after.peers.contains { $0.identity == lost })
        try await settle([peers[1], peers[0]])
        #expect(try peers[1].dump() == peers[0].dump() && peers[1].dump().contains("count=5 "))
        try transport.write([1], named: "strange.ocsync")
        #expect(try await peers[0].session.contents().otherItems == ["strange.ocsync"])
        for word in ["zzz", "", lost.uppercased() + "0"] {
            await #expect(throws: SyncError.self) { try await peers[0].session.removeItems(of: word) }
        }
    }
}
