import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Copied and restored stores")
struct CopiedStoreTests {
    private func close(_ peer: SyncPeer) throws {
        try peer.stack.coordinator.remove(peer.stack.store)
    }

    private func copy(_ url: URL, to target: URL) throws {
        for suffix in ["", "-wal", "-shm"] {
            let place = URL(fileURLWithPath: target.path + suffix)
            try? FileManager.default.removeItem(at: place)
            guard FileManager.default.fileExists(atPath: url.path + suffix) else { continue }
            try FileManager.default.copyItem(at: URL(fileURLWithPath: url.path + suffix), to: place)
        }
    }

    @Test("a copied store becomes another peer, and both agree")
    func copyBecomesPeer() async throws {
        let transport = MemoryTransport()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("One.sqlite")
        let first = try SyncPeer(url: url, over: transport)
        let second = try SyncPeer(over: transport)
        _ = first.insert("Item", "one")
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        let identity = try await first.session.status().identity
        try close(first)
        let place = folder.url.appendingPathComponent("Copy.sqlite")
        try copy(url, to: place)

        let original = try SyncPeer(url: url, over: transport)
        let copied = try SyncPeer(url: place, over: transport)
        _ = copied.insert("Item", "by the copy")
        try copied.save()
        _ = original.insert("Item", "by the original")
        try original.save()
        try await settle([copied, original, second])
        #expect(try await original.session.status().identity == identity)
        #expect(try await copied.session.status().identity != identity)
        let text = try second.dump()
        #expect(text.contains("label=by the copy") && text.contains("label=by the original"))
        #expect(try copied.dump() == text)
        #expect(try original.dump() == text)
    }

    @Test("a store that is put back from an older copy becomes a new peer", arguments: [false, true])
    func restoredStoreBecomesPeer(withMark: Bool) async throws {
        let transport = MemoryTransport()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("One.sqlite")
        let backup = folder.url.appendingPathComponent("Backup.sqlite")
        let mark = URL(fileURLWithPath: url.path + "-sync")
        let second = try SyncPeer(over: transport)
        var first = try SyncPeer(url: url, over: transport)
        _ = first.insert("Item", "one")
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        let identity = try await first.session.status().identity
        try close(first)
        try copy(url, to: backup)
        let kept = try Data(contentsOf: mark)

        first = try SyncPeer(url: url, over: transport)
        _ = first.insert("Item", "after the copy")
        try first.save()
        try await settle([first])
        try close(first)
        try copy(backup, to: url)
        // With its mark the store looks as it did: only the items of the transport say that it is behind.
        if withMark { try kept.write(to: mark) }

        first = try SyncPeer(url: url, over: transport)
        _ = first.insert("Item", "after the return")
        try first.save()
        try await settle([first, second], rounds: 6)
        #expect(try await first.session.status().identity != identity)
        let text = try second.dump()
        #expect(text.contains("label=after the copy") && text.contains("label=after the return"))
        #expect(try first.dump() == text)
    }
}
