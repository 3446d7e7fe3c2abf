import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Conflicts")
struct ConflictTests {
    private func pair() async throws -> (SyncPeer, SyncPeer) {
        let transport = MemoryTransport()
        let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport))
        for name in ["one", "two"] {
            _ = first.insert("Item", name, ["place": ["city": "Oslo", "floor": 1] as [String: Any]])
        }
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        return (first, second)
    }

    @Test("a value that lost is listed with its writer, and put back by a save that travels (SYNC-08)")
    func lostValueIsRestored() async throws {
        let (first, second) = try await pair()
        try await offline(first, second, "count", [1, 2])
        let object = try second.find("Item", "one")
        let list = try await second.session.conflicts()
        #expect(list.count == 1)
        let conflict = try #require(list.conflicts.first)
        #expect(conflict.objectID == object.objectID && conflict.entity == "Item" && conflict.attribute == "count")
        #expect(conflict.rule == "last" && conflict.writes.map(\.value) == ["1", "2"])
        let lost = try #require(conflict.lost.first)
        let firstIdentity = try await first.session.status().identity
        #expect(conflict.lost.count == 1 && lost.value == "1" && lost.peer == firstIdentity)

        try await second.session.restore(lost, of: object.objectID, "count")
        let history = try second.context.performAndWait {
            try second.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
        }
        let transactions = (history as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction]
        #expect(transactions?.last?.author == "OpenCoreData.restore")
        try await settle([second, first])
        #expect(try first.dump() == second.dump() && first.dump().contains("count=1 "))
        for peer in [first, second] { #expect(try await peer.session.conflicts().count == 0) }
        // The value was written since: it is not put back twice.
        await #expect { try await second.session.restore(lost, of: object.objectID, "count") } throws: {
            ($0 as? SyncError)?.code == .unknownItem && "\($0)".contains("gone")
        }
    }

    /// Gives an object other values at both peers before either has seen the other, the second one later.
    private func offline(_ first: SyncPeer, _ second: SyncPeer, _ key: String, _ values: [Any]) async throws {
        for (peer, value) in zip([first, second], values) {
            let object = try peer.find("Item", "one")
            peer.context.performAndWait { object.setValue(value, forKey: key) }
            try peer.save()
            // The capture gives the edit its time.
            _ = try await peer.session.status()
        }
        try await settle([first, second])
    }

    @Test("lost dates, transformables, elements of composites and nulls are put back")
    func kindsAreRestored() async throws {
        let (first, second) = try await pair()
        let date = Date(timeIntervalSinceReferenceDate: 12_345.25)
        try await offline(first, second, "date", [date, Date(timeIntervalSinceReferenceDate: 1)])
        try await offline(first, second, "words", [["a", "b"] as NSArray, ["c"] as NSArray])
        try await offline(
            first, second, "place",
            [["city": "Rome", "floor": 1] as [String: Any], ["city": "Bern", "floor": 1] as [String: Any]])
        let list = try await first.session.conflicts()
        #expect(Set(list.conflicts.map(\.attribute)) == ["date", "words", "place.city"])
        for conflict in list.conflicts {
            let (lost, object) = (try #require(conflict.lost.first), try #require(conflict.objectID))
            try await first.session.restore(lost, of: object, conflict.attribute)
        }
        try await settle([first, second])
        #expect(try second.dump() == first.dump())
        let object = try second.find("Item", "one")
        second.context.performAndWait {
            #expect(object.value(forKey: "date") as? Date == date)
            #expect(object.value(forKey: "words") as? [String] == ["a", "b"])
            #expect((object.value(forKey: "place") as? [String: Any])?["city"] as? String == "Rome")
            #expect((object.value(forKey: "place") as? [String: Any])?["floor"] as? Int == 1)
        }
    }

    @Test("an edit that lost to a deletion is listed, and cannot be put back (SYNC-08)")
    func editOfDeleted() async throws {
        let (first, second) = try await pair()
        let gone = try first.find("Item", "one")
        first.context.performAndWait { first.context.delete(gone) }
        try first.save()
        _ = try await first.session.status()
        let object = try second.find("Item", "one")
        second.context.performAndWait { object.setValue(7, forKey: "count") }
        try second.save()
        _ = try await second.session.status()
        let identifier = object.objectID
        try await settle([first, second])
        let list = try await second.session.conflicts()
        #expect(list.conflicts.map(\.attribute) == ["count"])
        let conflict = try #require(list.conflicts.first)
        #expect(conflict.rule == "deletion" && conflict.objectID == nil && conflict.lost.map(\.value) == ["7"])
        await #expect { try await second.session.restore(conflict.writes[0], of: identifier, "count") } throws: {
            ($0 as? SyncError)?.code == .unknownItem && "\($0)".contains("deleted")
        }
    }

    @Test("values that did not lose and equal ones are not listed; a limit bounds the list, not the count")
    func limits() async throws {
        let (first, second) = try await pair()
        try await offline(first, second, "visits", [3, 4])
        try await offline(first, second, "small", [5, 5])
        #expect(try await first.session.conflicts().count == 0)
        try await offline(first, second, "count", [1, 2])
        try await offline(first, second, "real", [1.5, 2.5])
        let list = try await first.session.conflicts(limit: 1)
        #expect(list.count == 2 && list.conflicts.map(\.attribute) == ["real"])
        #expect(try await first.session.conflicts(limit: -1).conflicts.isEmpty)
        let object = try first.find("Item", "one").objectID
        let chosen = try #require(list.conflicts.first?.writes.first { $0.isChosen })
        await #expect { try await first.session.restore(chosen, of: object, "real") } throws: {
            "\($0)".contains("did not lose")
        }
    }
}
