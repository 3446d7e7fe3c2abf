import CoreData
import CoreDataSyncing
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Examinations")
struct ExaminationTests {
    private func pair(
        _ transport: any SyncTransport, options: SyncOptions = SyncOptions()
    ) async throws -> (SyncPeer, SyncPeer) {
        let (first, second) = (try SyncPeer(over: transport, options: options), try SyncPeer(over: transport))
        for label in ["one", "two", "three"] { _ = first.insert("Item", label, ["count": 1]) }
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        return (first, second)
    }

    private func kinds(_ peer: SyncPeer) async throws -> [SyncFinding.Kind: Int] {
        Dictionary(try await peer.session.examine().findings.map { ($0.kind, 1) }, uniquingKeysWith: +)
    }

    @Test("a sound store has no findings, also before its saves are captured, and nothing is captured by looking")
    func soundStore() async throws {
        let (first, _) = try await pair(MemoryTransport())
        #expect(try await kinds(first) == [:])
        let item = try first.find("Item", "one")
        first.context.performAndWait { item.setValue(2, forKey: "count") }
        _ = first.insert("Item", "four")
        try first.save()
        #expect(try await kinds(first) == [:])
        #expect(try await first.session.exchange().writtenBytes > 0)
        #expect(try await kinds(first) == [:])
    }

    @Test("rows that were changed, inserted and deleted beside the history are found, and captured by a repair")
    func bypassedHistory() async throws {
        let (first, second) = try await pair(MemoryTransport())
        let gone = try first.find("Item", "three").objectID
        let connection = try Connection.open(first.stack.url.path)
        try connection.execute("UPDATE ZITEM SET ZCOUNT = 7 WHERE ZLABEL = 'one'")
        try connection.execute("DELETE FROM ZITEM WHERE ZLABEL = 'three'")
        try connection.execute(
            "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLABEL, ZVISITS) SELECT 50, Z_ENT, 1, 'raw', 0 FROM ZITEM LIMIT 1")
        connection.close()
        let found = try await first.session.examine()
        #expect(found.counts == ["differentRow": 1, "missingRow": 1, "unknownRow": 1])
        #expect(Set(found.findings.map(\.subject)).isSuperset(of: ["Item/p50"]))
        let different = try #require(found.findings.first { $0.kind == .differentRow })
        #expect(different.message.contains("count") && different.cure.contains("--repair"))
        // Nothing was captured by looking.
        #expect(try await first.session.exchange().writtenBytes == 0)

        let repaired = try await first.session.examine(repairing: true)
        #expect(repaired.isSound && repaired.capturedRows == 3)
        try await settle([first, second])
        let dump = try second.dump()
        #expect(dump.contains("label=raw") && dump.contains("count=7 ") && !dump.contains("label=three"))
        #expect(second.stack.store.type == first.stack.store.type && gone.entity.name == "Item")
    }

    @Test("damaged items, those of strangers and clocks ahead are named")
    func transportFindings() async throws {
        let transport = MemoryTransport()
        let (first, second) = try await pair(transport)
        try transport.write([1, 2, 3], named: "x.ocsync")
        let other = MemoryTransport()
        _ = try await pair(other)
        let strange = try #require(try other.items().first)
        try transport.write(try #require(try other.read(strange, atMost: 1 << 20)), named: strange.name)
        var ahead = SyncOptions()
        ahead.clock = { UInt64(Date().timeIntervalSince1970 * 1_000) + 5 * 86_400_000 + 3_600_000 }
        let late = try SyncSession(second.stack.store, over: transport, options: ahead)
        _ = second.insert("Item", "late")
        try second.save()
        try await late.exchange()
        let found = try await first.session.examine().findings
        #expect(Set(found.map(\.kind)) == [.unreadableItem, .unknownPeer, .wrongClock])
        #expect(found.first { $0.kind == .unreadableItem }?.subject == "x.ocsync")
        #expect(found.first { $0.kind == .unknownPeer }?.subject == strange.name)
        let identity = try await second.session.status().identity
        let clock = try #require(found.first { $0.kind == .wrongClock })
        #expect(clock.subject == identity && clock.message.contains("5 days"))
        #expect(found.allSatisfy { $0.cure.hasSuffix(".") })
    }

    @Test("a missing mark, an unheard peer, a clock that went back, no room and no transport are found")
    func surroundings() async throws {
        var options = SyncOptions()
        options.freeRoom = { _ in 1_000 }
        let transport = MemoryTransport()
        let (first, second) = try await pair(transport, options: options)
        #expect(try await kinds(first) == [.fullDisk: 1])
        try FileManager.default.removeItem(atPath: second.stack.url.path + "-sync")
        #expect(try await kinds(second) == [.instanceMark: 1])
        let identity = try await first.session.status().identity

        var later = SyncOptions()
        later.clock = { UInt64(Date().timeIntervalSince1970 * 1_000) + 9 * 86_400_000 }
        let month = try await SyncSession(first.stack.store, over: transport, options: later).examine()
        let silent = try #require(month.findings.first { $0.kind == .silentPeer })
        #expect(silent.subject != identity && silent.message.contains("9 days"))
        var early = SyncOptions()
        early.clock = { 1_000 }
        let back = try await SyncSession(first.stack.store, over: transport, options: early).examine()
        #expect(back.findings.contains { $0.kind == .wrongClock && $0.subject == identity })
        transport.isOnline = false
        let offline = try await first.session.examine().findings.first { $0.kind == .unreachableTransport }
        #expect(offline?.cure.isEmpty == false)
    }

    @Test("a shared folder that is gone, and a state that is damaged, are findings")
    func damage() async throws {
        let folder = try TemporaryFolder()
        let shared = folder.url.appendingPathComponent("shared")
        let (first, _) = try await pair(FolderTransport(shared))
        #expect(try await kinds(first) == [:])
        try FileManager.default.moveItem(at: shared, to: folder.url.appendingPathComponent("elsewhere"))
        #expect(try await kinds(first) == [.unreachableTransport: 1])
        let connection = try Connection.open(first.stack.url.path)
        try connection.execute("UPDATE OpenCoreDataSideTable SET VALUE = x'0102' WHERE KEY = x'6d'")
        connection.close()
        let found = try await first.session.examine().findings
        #expect(found.contains { $0.kind == .damagedState && $0.subject == first.stack.url.path })
    }

    @Test("a store that takes no part cannot be examined")
    func noPart() async throws {
        let peer = try SyncPeer(over: MemoryTransport())
        await #expect { _ = try await peer.session.examine() } throws: { ($0 as? SyncError)?.code == .notJoined }
    }
}
