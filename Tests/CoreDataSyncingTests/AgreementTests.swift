import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Agreement", .timeLimit(.minutes(10)))
struct AgreementTests {
    private static let seeds = TestSeed.sequences(6, exhaustive: 100)

    /// Random saves on stores of three kinds that lose, double and rename items agree in the end.
    @Test("stores of several kinds agree after random edits and lost items", arguments: seeds)
    func randomEditsAgree(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let transport = MemoryTransport()
        let peers = [
            try SyncPeer(over: transport), try SyncPeer(kind: .inMemory, over: transport),
            try SyncPeer(over: transport, tracking: false),
        ]
        for peer in peers {
            try await peer.session.join()
            try await settle([peer] + peers.prefix(1), rounds: 1)
        }
        try await settle(peers)
        for _ in 0..<40 {
            let peer = peers[Int.random(in: 0..<3, using: &random)]
            try RandomEdit.run(on: peer, &random)
            if Bool.random(using: &random) { _ = try await peer.session.exchange() }
            Self.damage(transport, &random)
        }
        try await settle(peers, rounds: 6)
        let text = try peers[0].dump()
        #expect(!text.isEmpty)
        for peer in peers {
            let difference = StoreDump.difference(text, try peer.dump())
            #expect(difference == [], "seed \(seed)")
        }
        for peer in peers { #expect(try await peer.session.status().isInSync, "seed \(seed)") }
    }

    /// Takes an item away, or puts a copy of it there as a file-syncing program does.
    static func damage(_ transport: MemoryTransport, _ random: inout SeededRandom) {
        guard let name = transport.contents.keys.sorted().randomElement(using: &random),
            let bytes = transport.contents[name]
        else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where !name.contains("-g-"): transport.contents[name] = nil
        case 1:
            let copy = name.replacingOccurrences(of: ".ocsync", with: ".sync-conflict-20261129-101010-ABCDEFG.ocsync")
            transport.contents[copy] = bytes
        default: break
        }
    }
}

/// One random save.
enum RandomEdit {
    static func run(on peer: SyncPeer, _ random: inout SeededRandom) throws {
        let context = peer.context
        var local = random
        try context.performAndWait {
            context.refreshAllObjects()
            for _ in 0..<Int.random(in: 1...3, using: &local) { try change(context, &local) }
            try context.save()
            context.reset()
        }
        random = local
    }

    private static func change(_ context: NSManagedObjectContext, _ random: inout SeededRandom) throws {
        func some(_ entity: String) throws -> NSManagedObject? {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
            return try context.fetch(request).randomElement(using: &random)
        }
        func make(_ entity: String) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue("\(entity) \(UInt32.random(in: 0 ... .max, using: &random))", forKey: "label")
            return object
        }
        switch Int.random(in: 0..<11, using: &random) {
        case 0: _ = make("Item")
        case 1: make("Special").setValue("extra", forKey: "extra")
        case 2: make("Tag").setValue(NSSet(array: try [some("Item")].compactMap { $0 }), forKey: "items")
        case 3:
            let owner = make("Owner")
            owner.setValue(owner.value(forKey: "label"), forKey: "code")
        case 4: try some("Item")?.setValue(Int64.random(in: -9...9, using: &random), forKey: "count")
        case 5:
            let item = try some("Item")
            let visits = item?.value(forKey: "visits") as? Int64 ?? 0
            item?.setValue(visits + 1, forKey: "visits")
        case 6: try some("Item")?.setValue(try some("Owner"), forKey: "owner")
        case 7: try some("Item")?.setValue(try some("Owner"), forKey: "listOwner")
        case 8:
            guard let owner = try some("Owner"), let list = owner.value(forKey: "list") as? NSOrderedSet else { return }
            owner.setValue(NSOrderedSet(array: list.array.shuffled(using: &random)), forKey: "list")
        case 9:
            if let tag = try some("Tag"), let item = try some("Item") {
                let items = tag.mutableSetValue(forKey: "items")
                if items.contains(item) { items.remove(item) } else { items.add(item) }
            }
        default:
            if let object = try some(["Item", "Owner", "Tag"][Int.random(in: 0..<3, using: &random)]) {
                context.delete(object)
            }
        }
    }
}
