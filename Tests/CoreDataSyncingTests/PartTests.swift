import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Parts of a store")
struct PartTests {
    /// Items that count more than three, and all owners.
    private static var options: SyncOptions {
        var part = SyncPart()
        part.keep("Item", where: NSPredicate(format: "count > 3 OR place.city == 'Oslo'"))
        part.keep("Owner")
        var options = SyncOptions()
        options.part = part
        return options
    }

    private func labels(_ peer: SyncPeer, _ entity: String = "Item") throws -> [String] {
        try peer.context.performAndWait {
            peer.context.refreshAllObjects()
            return try peer.context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
                .compactMap { $0.value(forKey: "label") as? String }.sorted()
        }
    }

    private func change(_ peer: SyncPeer, _ label: String, _ key: String, _ value: Any?) throws {
        let object = try peer.find("Item", label)
        peer.context.performAndWait { object.setValue(value, forKey: key) }
        try peer.save()
    }

    @Test(
        "three peers: one keeps a part; what leaves it is evicted and lives on, and relationships over the border stay")
    func threePeers() async throws {
        let transport = MemoryTransport()
        let peers = [
            try SyncPeer(over: transport), try SyncPeer(over: transport, options: Self.options),
            try SyncPeer(over: transport),
        ]
        let (first, phone, third) = (peers[0], peers[1], peers[2])
        let owner = first.insert("Owner", "Ann", ["code": "a"])
        let tag = first.insert("Tag", "red")
        var items: [NSManagedObject] = []
        for (number, label) in ["a1", "b5", "c2", "d7"].enumerated() {
            items.append(first.insert("Item", label, ["count": [1, 5, 2, 7][number], "owner": owner]))
        }
        first.context.performAndWait {
            owner.setValue(NSOrderedSet(array: items), forKey: "list")
            tag.setValue(NSSet(array: items), forKey: "items")
        }
        try first.save()
        for peer in peers { try await peer.session.join() }
        try await settle(peers)
        #expect(try labels(phone) == ["b5", "d7"] && labels(phone, "Tag") == [] && labels(phone, "Owner") == ["Ann"])
        #expect(try third.dump() == first.dump())

        // The phone reorders the members that it has, changes one, and one of its own leaves the part at once.
        let ann = try phone.find("Owner", "Ann")
        let (five, seven) = (try phone.find("Item", "b5"), try phone.find("Item", "d7"))
        phone.context.performAndWait { ann.setValue(NSOrderedSet(array: [seven, five]), forKey: "list") }
        _ = phone.insert("Item", "new", ["count": 0, "owner": ann])
        try phone.save()
        try change(phone, "b5", "count", 1)
        try change(third, "a1", "count", 9)
        try await settle(peers)
        #expect(try labels(phone) == ["a1", "d7"])
        #expect(try labels(first) == ["a1", "b5", "c2", "d7", "new"])
        #expect(try third.dump() == first.dump())
        let dump = try first.dump()
        let line = try #require(dump.split(separator: "\n").first { $0.hasPrefix("Owner") })
        let listed = try #require(
            line.components(separatedBy: "list=[").last?.prefix { $0 != "]" }.split(separator: ","))
        #expect(Set(listed) == ["a1", "b5", "c2", "d7"])
        #expect((listed.firstIndex(of: "d7") ?? 9) < (listed.firstIndex(of: "b5") ?? 0))
        #expect(line.contains("items=[a1,b5,c2,d7,new]"))
        #expect(dump.split(separator: "\n").first { $0.hasPrefix("Tag") }?.contains("items=[a1,b5,c2,d7]") == true)
        let phoneLine = try phone.dump().split(separator: "\n").first { $0.hasPrefix("Owner") }
        #expect(phoneLine?.contains("items=[a1,d7]") == true)
        for peer in peers { #expect(try await peer.session.status().isInSync) }

        // A deletion in the part is a deletion everywhere.
        let gone = try phone.find("Item", "d7")
        phone.context.performAndWait { phone.context.delete(gone) }
        try phone.save()
        try await settle(peers)
        for peer in [first, third] { #expect(try labels(peer) == ["a1", "b5", "c2", "new"]) }
    }

    @Test("the store keeps its part for other sessions; another part evicts and brings objects, all of them at last")
    func partChanges() async throws {
        let transport = MemoryTransport()
        let first = try SyncPeer(over: transport)
        let phone = try SyncPeer(over: transport, options: Self.options)
        for (number, label) in ["a1", "b5", "oslo"].enumerated() {
            let place = ["city": number == 2 ? "Oslo" : "Rome", "floor": 1] as [String: Any]
            _ = first.insert("Item", label, ["count": [1, 5, 2][number], "place": place])
        }
        _ = first.insert("Special", "s9", ["count": 9])
        try first.save()
        for peer in [first, phone] { try await peer.session.join() }
        try await settle([first, phone])
        #expect(try labels(phone) == ["b5", "oslo", "s9"])

        // A session without a part, such as that of the tool, keeps the same.
        let plain = try SyncSession(phone.stack.store, over: transport)
        _ = first.insert("Item", "e0", ["count": 0])
        try first.save()
        try await first.session.exchange()
        try await plain.exchange()
        #expect(try labels(phone) == ["b5", "oslo", "s9"])

        var options = SyncOptions()
        var part = SyncPart()
        part.keep("Special")
        options.part = part
        try await SyncSession(phone.stack.store, over: transport, options: options).exchange()
        #expect(try labels(phone) == ["s9"])
        options.part = .everything
        try await SyncSession(phone.stack.store, over: transport, options: options).exchange()
        try await settle([first, phone], rounds: 0)
        #expect(try labels(phone) == ["a1", "b5", "e0", "oslo", "s9"])
        try await first.session.exchange()
        #expect(try phone.dump() == first.dump())
    }

    @Test("predicates over other objects, unknown entities and blocks are refused by name")
    func wrongParts() throws {
        let refusals: [(String, NSPredicate?, String)] = [
            ("Nothing", nil, "'Nothing'"), ("Item", NSPredicate(format: "owner.label == 'x'"), "'owner.label'"),
            ("Item", NSPredicate(format: "ANY tags.label == 'x'"), "'tags.label'"),
            ("Owner", NSPredicate(format: "upper == 'X'"), "'upper'"),
            ("Item", NSPredicate(format: "label == $name"), "'name'"),
            ("Item", NSPredicate(format: "SELF == 1"), "attributes of the object"),
            ("Item", NSPredicate { _, _ in true }, "'Item'"),
        ]
        for (entity, predicate, text) in refusals {
            var options = SyncOptions()
            var part = SyncPart()
            part.keep(entity, where: predicate)
            options.part = part
            #expect("\(entity) \(text)") {
                _ = try SyncPeer(over: MemoryTransport(), options: options)
            } throws: {
                ($0 as? SyncError)?.code == .model && "\($0)".contains(text)
            }
        }
    }
}
