import CoreData
import CoreDataPostgres
import CoreDataSyncing
import StoreContract
import TestBasics
import TestServers
import Testing

@Suite("Sync of other stores")
struct OtherStoreTests {
    @Test(
        "stores in SQLite, PostgreSQL and memory agree after offline edits",
        .enabled(if: PostgresServer.isAvailable, "no server of PostgreSQL"))
    func postgresAgrees() async throws {
        let transport = MemoryTransport()
        let url = try PostgresServer.shared.get().makeURL("sync")
        let peers = [
            try SyncPeer(over: transport), try SyncPeer(url: url, kind: .postgreSQL, over: transport),
            try SyncPeer(kind: .inMemory, over: transport),
        ]
        let money = NSDecimalNumber(string: "1.23456789012345")
        _ = peers[0].insert("Item", "one", ["real": -0.25, "money": money, "words": ["a"] as NSArray])
        try peers[0].save()
        for peer in peers {
            try await peer.session.join()
            try await settle(peers.filter { $0 === peer || $0 === peers[0] }, rounds: 2)
        }
        var random = SeededRandom(seed: 11)
        for step in 0..<30 {
            try RandomEdit.run(on: peers[step % 3], &random)
            if step % 4 == 0 { _ = try await peers[step % 3].session.exchange() }
        }
        try await settle(peers, rounds: 5)
        let text = try peers[0].dump()
        for peer in peers.dropFirst() {
            let difference = StoreDump.difference(text, try peer.dump())
            #expect(difference == [])
        }
    }

    @Test("a migrated store keeps its state, and shows what older peers sent under renamed names")
    func migratedStoreGoesOn() async throws {
        let transport = MemoryTransport()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("One.sqlite")
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let second = try SyncPeer(over: transport)
        let first = try SyncPeer(url: url, over: transport)
        _ = first.insert("Tag", "red")
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        let identity = try await first.session.status().identity
        try first.stack.coordinator.remove(first.stack.store)

        let model = SyncModel.make()
        let tag = try #require(model.entitiesByName["Tag"])
        tag.attributesByName["label"]?.renamingIdentifier = "label"
        tag.attributesByName["label"]?.name = "title"
        let added = NSAttributeDescription()
        added.name = "shade"
        added.attributeType = .stringAttributeType
        added.isOptional = true
        tag.properties.append(added)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let migration: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options.merging(migration) { $1 })
        let session = try SyncSession(store, over: transport)
        let red = try second.find("Tag", "red")
        second.context.performAndWait { red.setValue("crimson", forKey: "label") }
        try second.save()
        _ = try await second.session.exchange()
        _ = try await session.exchange()
        #expect(try await session.status().identity == identity)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            #expect(found.map { $0.value(forKey: "title") as? String } == ["crimson"])
            found.first?.setValue("dark", forKey: "shade")
            found.first?.setValue("wine", forKey: "title")
            try context.save()
        }
        _ = try await session.exchange()
        _ = try await second.session.exchange()
        #expect(try second.dump().contains("label=wine"))
    }
}
