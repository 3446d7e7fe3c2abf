import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Merge functions of the program")
struct MergeFunctionTests {
    private static func model() -> NSManagedObjectModel {
        let model = SyncModel.make()
        let attributes = model.entitiesByName["Item"]?.attributesByName
        attributes?["label"]?.userInfo = ["sync.merge": "custom:longest"]
        attributes?["small"]?.userInfo = ["sync.merge": "custom:sum"]
        attributes?["date"]?.userInfo = ["sync.merge": "custom:wrong"]
        return model
    }

    private static var options: SyncOptions {
        var options = SyncOptions()
        options.mergeFunctions = [
            "longest": { values in
                let texts = values.compactMap { $0 as? String }
                return texts.max { ($0.count, $0) < ($1.count, $1) }
            },
            "sum": { values in values.compactMap { $0 as? Int }.reduce(0, |) },
            "wrong": { _ in "no date" },
        ]
        return options
    }

    @Test(
        "three peers agree on what functions by name make of values, and on the latest where a result has the wrong type (SYNC-08)"
    )
    func threePeersAgree() async throws {
        let transport = MemoryTransport()
        let peers = try (0..<3).map { _ in try SyncPeer(Self.model(), over: transport, options: Self.options) }
        _ = peers[0].insert("Item", "one")
        try peers[0].save()
        for peer in peers { try await peer.session.join() }
        try await settle(peers)
        for (number, peer) in peers.enumerated() {
            let item = try peer.find("Item", "one")
            peer.context.performAndWait {
                item.setValue(["x", "longer", "zz"][number], forKey: "label")
                item.setValue([1, 2, 8][number], forKey: "small")
                item.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "date")
            }
            try peer.save()
            _ = try await peer.session.status()
        }
        try await settle([peers[2], peers[0], peers[1]])
        let dump = try peers[0].dump()
        for peer in peers { #expect(try peer.dump() == dump) }
        #expect(dump.contains("label=longer") && dump.contains("small=11"))
        let item = try peers[1].find("Item", "longer")
        peers[1].context.performAndWait {
            #expect(item.value(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 2))
        }
        let why = try await peers[1].session.why(item.objectID, "label")
        #expect(why.rule == "custom:longest" && why.writes.filter(\.isChosen).map(\.value) == ["longer"])
        for peer in peers { #expect(try await peer.session.status().isInSync) }
    }

    @Test("the rule of sets is refused by the name of the attribute, since stores have no arrays")
    func setsAreRefused() throws {
        let model = SyncModel.make()
        model.entitiesByName["Item"]?.attributesByName["words"]?.userInfo = ["sync.merge": "set"]
        #expect {
            _ = try SyncPeer(model, over: MemoryTransport())
        } throws: {
            ($0 as? SyncError)?.code == .model && "\($0)".contains("'Item.words'")
        }
    }

    @Test("a function that the program does not give is an error that names the attribute")
    func missingFunction() throws {
        var options = Self.options
        options.mergeFunctions["sum"] = nil
        #expect {
            _ = try SyncPeer(Self.model(), over: MemoryTransport(), options: options)
        } throws: {
            ($0 as? SyncError)?.code == .model && "\($0)".contains("'Item.small'") && "\($0)".contains("'sum'")
        }
    }
}
