import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Two stores over a folder")
struct TwoStoreTests {
    @Test("objects of the first reach the second with all values, links and orders")
    func everythingTravels() async throws {
        let folder = try TemporaryFolder()
        let first = try SyncPeer(over: FolderTransport(folder.url.appendingPathComponent("shared")))
        let second = try SyncPeer(over: FolderTransport(folder.url.appendingPathComponent("shared")))
        let owner = first.insert("Owner", "Ann", ["code": "a"])
        let one = first.insert(
            "Item", "one",
            [
                "count": Int64.max, "small": -7, "flag": true, "real": -0.1, "single": Float(1.5),
                "money": NSDecimalNumber(string: "12.3456789"),
                "date": Date(timeIntervalSinceReferenceDate: -63_000_000_000.5),
                "data": Data([0, 1, 255]), "large": Data(repeating: 7, count: 300_000), "uuid": UUID(),
                "uri": URL(string: "https://example.org/a?b=c") as Any, "words": ["x", "y"] as NSArray, "owner": owner,
                "place": ["city": "Oslo", "floor": 3] as [String: Any],
            ])
        let two = first.insert("Special", "two", ["extra": "more", "listOwner": owner])
        let three = first.insert("Item", "three", ["listOwner": owner])
        let tag = first.insert("Tag", "red")
        first.context.performAndWait {
            owner.setValue(NSOrderedSet(array: [three, two]), forKey: "list")
            tag.setValue(NSSet(array: [one, two]), forKey: "items")
            tag.setValue(NSSet(array: [owner]), forKey: "seen")
        }
        try first.save()
        try await first.session.join()
        try await first.session.exchange()
        try await second.session.join()
        try await settle([second, first])
        let expected = try first.dump()
        #expect(try second.dump() == expected)
        #expect(expected.contains("list=[three,two]"))
        #expect(expected.contains("place=city:Oslo,floor:3"))
    }

    @Test("edits of the same objects offline agree again")
    func offlineEditsAgree() async throws {
        let transport = MemoryTransport()
        let first = try SyncPeer(over: transport)
        let second = try SyncPeer(kind: .inMemory, over: transport)
        let owner = first.insert("Owner", "Ann", ["code": "a"])
        let item = first.insert("Item", "one", ["visits": 5, "listOwner": owner])
        _ = first.insert("Item", "gone")
        try first.save()
        try await first.session.join()
        try await first.session.exchange()
        try await second.session.join()
        try await settle([second, first])
        #expect(try second.dump() == first.dump())

        first.context.performAndWait {
            item.setValue(7, forKey: "visits")
        }
        _ = first.insert("Item", "new", ["listOwner": owner])
        try first.save()
        let other = try second.find("Item", "one")
        let gone = try second.find("Item", "gone")
        let ann = try second.find("Owner", "Ann")
        second.context.performAndWait {
            other.setValue(8, forKey: "visits")
            other.setValue(2.5, forKey: "real")
            second.context.delete(gone)
            ann.setValue("Anna", forKey: "label")
        }
        _ = second.insert("Item", "also", ["listOwner": ann])
        try second.save()
        try await settle([first, second])
        let text = try first.dump()
        #expect(try second.dump() == text)
        #expect(text.contains("visits=10"))
        #expect(!text.contains("label=gone"))
        #expect(text.contains("label=Anna"))
        #expect(text.contains("real=2.5"))
    }

    @Test("objects with equal unique values become one")
    func equalKeysBecomeOne() async throws {
        let transport = MemoryTransport()
        let peers = [
            try SyncPeer(over: transport), try SyncPeer(over: transport),
            try SyncPeer(kind: .inMemory, over: transport),
        ]
        for (number, peer) in peers.enumerated() {
            let owner = peer.insert("Owner", "owner \(number)", ["code": "same"])
            _ = peer.insert("Item", "item \(number)", ["owner": owner])
            try peer.save()
            try await peer.session.join()
            try await peer.session.exchange()
        }
        try await settle(peers)
        let text = try peers[0].dump()
        for peer in peers { #expect(try peer.dump() == text) }
        #expect(text.split(separator: "\n").count { $0.hasPrefix("Owner") } == 1)
        #expect(text.contains("items=[item 0,item 1,item 2]"))
    }

    @Test("more objects than one capture takes arrive with their links")
    func manyObjectsTravel() async throws {
        let transport = MemoryTransport()
        let first = try SyncPeer(over: transport)
        let second = try SyncPeer(over: transport)
        let owners = (0..<40).map { first.insert("Owner", "owner \($0)", ["code": "\($0)"]) }
        let tag = first.insert("Tag", "all")
        first.context.performAndWait {
            for number in 0..<4_500 {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: first.context)
                item.setValue("item \(number)", forKey: "label")
                item.setValue(owners[number % 40], forKey: number % 2 == 0 ? "owner" : "listOwner")
                if number % 9 == 0 { tag.mutableSetValue(forKey: "items").add(item) }
            }
        }
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second], rounds: 2)
        let difference = StoreDump.difference(try first.dump(), try second.dump())
        #expect(difference.isEmpty, "\(difference.prefix(3))")
        #expect(try second.dump().split(separator: "\n").count == 4_541)
    }
}
