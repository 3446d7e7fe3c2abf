import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Newer models", .timeLimit(.minutes(5)))
struct NewerModelTests {
    private func newerModel() -> NSManagedObjectModel {
        let model = SyncModel.make()
        let nick = NSAttributeDescription()
        nick.name = "nick"
        nick.attributeType = .stringAttributeType
        nick.isOptional = true
        model.entitiesByName["Tag"]?.properties.append(nick)
        return model
    }

    /// Changes a closed store as a migration does, beside the history.
    private func compute(_ url: URL, _ statement: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
        process.arguments = ["python3", "-c", script, url.path, statement]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test("after a migration, what newer peers wrote is there, and what it computed reaches them")
    func migrationIsCaptured() async throws {
        let transport = MemoryTransport()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Old.sqlite")
        let newer = try SyncPeer(newerModel(), over: transport)
        var older = try SyncPeer(url: url, over: transport)
        try await newer.session.join()
        _ = newer.insert("Tag", "written", ["nick": "by the newer peer"])
        _ = newer.insert("Tag", "unwritten")
        _ = newer.insert("Tag", "renamed", ["nick": "stays"])
        try newer.save()
        try await older.session.join()
        try await settle([newer, older])
        #expect(try older.dump().contains("label=unwritten"))
        try older.stack.coordinator.remove(older.stack.store)

        older = try SyncPeer(newerModel(), url: url, over: transport)
        try older.stack.coordinator.remove(older.stack.store)
        try compute(url, "UPDATE ZTAG SET ZNICK = 'computed' WHERE ZLABEL = 'unwritten'")
        try compute(url, "UPDATE ZTAG SET ZLABEL = 'RENAMED' WHERE ZLABEL = 'renamed'")
        older = try SyncPeer(newerModel(), url: url, over: transport)
        try await settle([older, newer])
        let text = try newer.dump()
        #expect(StoreDump.difference(text, try older.dump()) == [])
        #expect(text.contains("label=written nick=by the newer peer"))
        #expect(text.contains("label=unwritten nick=computed"))
        #expect(text.contains("label=RENAMED nick=stays"))
    }

    @Test("a store that lost its state joins again only if it is said how")
    func lostStateIsNoticed() async throws {
        let transport = MemoryTransport()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("One.sqlite")
        var peer = try SyncPeer(url: url, over: transport)
        _ = peer.insert("Tag", "one")
        try peer.save()
        try await peer.session.join()
        try await settle([peer])
        let count = transport.contents.count
        try peer.stack.coordinator.remove(peer.stack.store)
        try compute(url, "DELETE FROM OpenCoreDataSideTable")
        peer = try SyncPeer(url: url, over: transport)
        await #expect {
            try await peer.session.join()
        } throws: {
            ($0 as? SyncError)?.code == .damagedState && ($0 as? SyncError)?.cure.contains("backup") == true
        }
        #expect(try await !peer.session.hasJoined())
        #expect(transport.contents.count == count)
        try await peer.session.join(.founding)
        #expect(try await peer.session.hasJoined())
    }

    @Test("an empty store in the place of one that took part joins")
    func emptyStoreJoins() async throws {
        let transport = MemoryTransport()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("One.sqlite")
        var peer = try SyncPeer(url: url, over: transport)
        _ = peer.insert("Tag", "one")
        try peer.save()
        try await peer.session.join()
        let other = try SyncPeer(over: transport)
        try await other.session.join()
        try await settle([peer, other])
        try peer.stack.coordinator.remove(peer.stack.store)
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        peer = try SyncPeer(url: url, over: transport)
        try await peer.session.join()
        try await settle([other, peer])
        #expect(try peer.dump() == other.dump())
        #expect(try peer.dump().contains("label=one"))
    }
}
