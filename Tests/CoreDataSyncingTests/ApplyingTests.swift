import CoreData
import CoreDataSyncing
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Applying changes of peers")
struct ApplyingTests {
    private func pair(_ transport: MemoryTransport) async throws -> (SyncPeer, SyncPeer) {
        let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport))
        _ = first.insert("Item", "one")
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        return (first, second)
    }

    @Test("contexts that merge changes by themselves show what peers changed")
    func contextsMerge() async throws {
        let (first, second) = try await pair(MemoryTransport())
        second.context.automaticallyMergesChangesFromParent = true
        let object = try second.find("Item", "one")
        let former = second.context.performAndWait { object.value(forKey: "count") as? Int64 }
        #expect(former == nil)
        let own = try first.find("Item", "one")
        first.context.performAndWait { own.setValue(42, forKey: "count") }
        try first.save()
        try await settle([first, second], rounds: 1)
        await eventually("the merge") {
            second.context.performAndWait { object.value(forKey: "count") as? Int64 == 42 }
        }
    }

    @Test("a transaction of the history has the author of sync, and is not captured")
    func historyNamesSync() async throws {
        let (first, second) = try await pair(MemoryTransport())
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try second.context.performAndWait {
            try second.context.execute(request) as? NSPersistentHistoryResult
        }
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        #expect(transactions.map(\.author) == ["OpenCoreData.sync"])
        let before = try await second.session.exchange()
        #expect(before.writtenBytes == 0 && before.readBytes == 0)
        #expect(try await first.session.status().isInSync)
    }

    @Test("saves of another coordinator, and edits that bypass the history, are captured")
    func foreignSavesAreCaptured() async throws {
        let (first, second) = try await pair(MemoryTransport())
        let other = try first.stack.another()
        try other.context.performAndWait {
            let object = try #require(
                try other.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).first)
            object.setValue(3, forKey: "count")
            try other.context.save()
        }
        try await settle([first, second], rounds: 1)
        #expect(try second.dump().contains("count=3"))

        let connection = try Connection.open(first.stack.url.path)
        try connection.execute("UPDATE ZITEM SET ZCOUNT = 4")
        connection.close()
        _ = try await first.session.exchange()
        _ = try await second.session.exchange()
        #expect(try second.dump().contains("count=3"))
        _ = try await first.session.exchange(comparing: true)
        _ = try await second.session.exchange()
        #expect(try second.dump().contains("count=4"))
    }

    @Test("why says who wrote two values at once, and which one the rule chose")
    func whyExplains() async throws {
        let (first, second) = try await pair(MemoryTransport())
        for (peer, value) in [(first, 1), (second, 2)] {
            let object = try peer.find("Item", "one")
            peer.context.performAndWait { object.setValue(value, forKey: "count") }
            try peer.save()
            _ = try await peer.session.status()
        }
        try await settle([first, second])
        let object = try first.find("Item", "one")
        let found = try await first.session.why(object.objectID, "count")
        #expect(found.rule == "last")
        #expect(found.value == "2")
        #expect(found.writes.map(\.value) == ["1", "2"])
        #expect(found.writes.map(\.isChosen) == [false, true])
        let identities = [try await first.session.status().identity, try await second.session.status().identity]
        #expect(found.writes.map(\.peer) == identities)
    }

    @Test("Apple's tables and checks do not see the state of sync")
    func stateIsBeside() async throws {
        let (first, _) = try await pair(MemoryTransport())
        let connection = try Connection.open(first.stack.url.path)
        defer { connection.close() }
        let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap {
            $0[0].text
        }
        #expect(tables.filter { $0.hasPrefix("OpenCoreData") } == ["OpenCoreDataSideTable"])
        let another = try first.stack.another()
        #expect((another.store as? SQLiteStore)?.problems == [])
    }
}
