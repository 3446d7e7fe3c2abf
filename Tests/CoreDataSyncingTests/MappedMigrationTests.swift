import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Sync and mapping models", .timeLimit(.minutes(5)))
struct MappedMigrationTests {
    private let folder: TemporaryFolder
    private let transport = MemoryTransport()
    private var url: URL { folder.url.appendingPathComponent("One.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// The model of the second version: items have an attribute more.
    private func newerModel() -> NSManagedObjectModel {
        let model = SyncModel.make()
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType
        title.isOptional = true
        model.entitiesByName["Item"]?.properties.append(title)
        return model
    }

    /// Migrates the closed store by a mapping model, as a program does that has one, and puts the result in its place.
    private func migrate(
        from old: NSManagedObjectModel, to new: NSManagedObjectModel,
        _ change: (NSMappingModel) throws -> Void = { _ in }
    ) throws {
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        for entity in mapping.entityMappings where entity.destinationEntityName == "Item" {
            for property in entity.attributeMappings ?? [] where property.name == "title" {
                property.valueExpression = NSExpression(format: "uppercase:($source.label)")
            }
        }
        try change(mapping)
        let result = folder.url.appendingPathComponent("\(UUID().uuidString).sqlite")
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        manager.usesStoreSpecificMigrationManager = false
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: options, with: mapping, toDestinationURL: result,
            destinationType: NSSQLiteStoreType, destinationOptions: options)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
        try coordinator.replacePersistentStore(
            at: url, destinationOptions: nil, withPersistentStoreFrom: result, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
    }

    /// Two peers that have the same objects; the first has been closed.
    private func pair(_ label: (Int) -> String = { "item \($0)" }) async throws -> (other: SyncPeer, identity: String) {
        let first = try SyncPeer(url: url, over: transport)
        let other = try SyncPeer(over: transport)
        // Rows that are gone make the keys of the others differ from those that a migration gives.
        let gone = first.insert("Item", "gone")
        try first.save()
        first.context.performAndWait { first.context.delete(gone) }
        let owner = first.insert("Owner", "owner")
        let tag = first.insert("Tag", "tag")
        for number in 0..<20 {
            _ = first.insert(
                number % 3 == 0 ? "Special" : "Item", label(number),
                ["owner": owner, "count": number, "tags": NSSet(object: tag)])
        }
        try first.save()
        try await first.session.join()
        try await other.session.join()
        try await settle([first, other])
        #expect(try first.dump() == other.dump())
        let identity = try await first.session.status().identity
        try first.stack.coordinator.remove(first.stack.store)
        return (other, "\(identity)")
    }

    @Test("a store that a mapping model migrated goes on as the same peer, and what the mapping computed travels")
    func migratedStoreGoesOn() async throws {
        let (other, identity) = try await pair()
        // An edit that the migrated store does not have yet, and one that no exchange has seen.
        let edited = try other.find("Item", "item 5")
        other.context.performAndWait { edited.setValue(55, forKey: "count") }
        try other.save()
        let offline = try SyncPeer(url: url, over: transport)
        let item = try offline.find("Item", "item 7")
        offline.context.performAndWait { item.setValue(77, forKey: "count") }
        try offline.save()
        try offline.stack.coordinator.remove(offline.stack.store)

        try migrate(from: SyncModel.make(), to: newerModel())
        let migrated = try SyncPeer(newerModel(), url: url, over: transport)
        let newer = try SyncPeer(newerModel(), over: transport)
        try await newer.session.join()
        try await settle([migrated, other, newer], rounds: 6)
        #expect(try await "\(migrated.session.status().identity)" == identity)
        let text = try migrated.dump()
        #expect(StoreDump.difference(text, try newer.dump()) == [])
        #expect(text.split(separator: "\n").count == 22)
        #expect(text.contains("count=55") && text.contains("count=77"))
        #expect(text.contains("title=ITEM 5"))
        let older = try other.dump()
        #expect(older.split(separator: "\n").count == 22)
        #expect(older.contains("count=55") && older.contains("count=77"))
    }

    @Test("objects that a mapping leaves out are deleted for the peers, and no object comes twice")
    func objectsLeftOut() async throws {
        let (other, _) = try await pair()
        try migrate(from: SyncModel.make(), to: newerModel()) { mapping in
            for entity in mapping.entityMappings where entity.sourceEntityName == "Item" {
                entity.sourceExpression = NSExpression(
                    format: "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Item', "
                        + "'label != \"item 5\"'), $manager.sourceContext, NO)")
            }
        }
        let migrated = try SyncPeer(newerModel(), url: url, over: transport)
        try await settle([migrated, other], rounds: 5)
        let labels = try other.dump().split(separator: "\n").filter { $0.hasPrefix("Item") || $0.hasPrefix("Special") }
        #expect(labels.count == 19)
        #expect(!labels.contains { $0.contains("label=item 5 ") })
        #expect(try migrated.dump().split(separator: "\n").count == 21)
    }

    @Test(
        "a mapping that keeps no object deletes them for the peers, and what is made afterwards has no former object's place"
    )
    func nothingIsKept() async throws {
        let (other, identity) = try await pair()
        try migrate(from: SyncModel.make(), to: newerModel()) { mapping in
            for entity in mapping.entityMappings {
                guard let name = entity.sourceEntityName else { continue }
                entity.sourceExpression = NSExpression(
                    format: "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', '\(name)', "
                        + "'FALSEPREDICATE'), $manager.sourceContext, NO)")
            }
        }
        let migrated = try SyncPeer(newerModel(), url: url, over: transport)
        // Rows that have the keys of former ones.
        for number in 0..<5 { _ = migrated.insert("Item", "new \(number)") }
        try migrated.save()
        try await settle([migrated, other], rounds: 5)
        #expect(try await "\(migrated.session.status().identity)" == identity)
        let lines = try other.dump().split(separator: "\n")
        #expect(lines.count == 5 && lines.allSatisfy { $0.contains("label=new ") }, "\(lines)")
        #expect(try migrated.dump().split(separator: "\n").count == 5)
    }

    @Test("two migrations one after the other, without an exchange between them, lead to the same objects")
    func twoMigrations() async throws {
        let (other, identity) = try await pair()
        try migrate(from: SyncModel.make(), to: newerModel())
        let newest = newerModel()
        newest.entitiesByName["Tag"]?.attributesByName["label"]?.isOptional = true
        newest.entitiesByName["Tag"]?.versionHashModifier = "3"
        try migrate(from: newerModel(), to: newest)
        let migrated = try SyncPeer(newest, url: url, over: transport)
        try await settle([migrated, other], rounds: 5)
        #expect(try await "\(migrated.session.status().identity)" == identity)
        #expect(try migrated.dump().split(separator: "\n").count == 22)
        #expect(try other.dump().split(separator: "\n").count == 22)
        #expect(try other.dump().contains("tags=[tag]"))
    }
}
