import CoreData
import Testing

/// Inferred mapping models that the store carries out itself.
@Suite("Migrations by the store itself", .timeLimit(.minutes(5)))
struct StoreSpecificTests {
    private let stores: MappedStores

    init() throws {
        stores = try MappedStores(
            "<entity name=\"Book\"><attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/></entity>",
            "<entity name=\"Book\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\" "
                + "elementID=\"title\"/><attribute name=\"pages\" optional=\"YES\" attributeType=\"Integer 32\"/></entity>"
        )
        try stores.fill { context in
            let first = MappedStores.insert("Book", context, ["title": "gone"])
            try context.save()
            for number in 0..<3 { _ = MappedStores.insert("Book", context, ["title": "Book \(number)"]) }
            context.delete(first)
        }
    }

    private func mapping() throws -> NSMappingModel {
        try .inferredMappingModel(forSourceModel: stores.old, destinationModel: stores.new)
    }

    private func manager(_ isSpecific: Bool = true) -> NSMigrationManager {
        let manager = NSMigrationManager(sourceModel: stores.old, destinationModel: stores.new)
        #expect(manager.usesStoreSpecificMigrationManager)
        manager.usesStoreSpecificMigrationManager = isSpecific
        return manager
    }

    private func migrated() throws -> (names: [String], keys: [String], store: String) {
        try stores.read { context in
            let books = try MappedStores.all("Book", context, by: "name")
            let store = context.persistentStoreCoordinator?.persistentStores.first?.identifier ?? ""
            return (
                books.map { $0.value(forKey: "name") as? String ?? "nil" },
                books.map { $0.objectID.uriRepresentation().lastPathComponent }, store
            )
        }
    }

    @Test(
        "with the flag the store's own migration keeps the keys, without it objects are made again (MIG-17)",
        arguments: [true, false])
    func withFlagStoresOwnMigrationKeepsKeys(isSpecific: Bool) throws {
        let before = try Data(contentsOf: stores.source)
        let manager = manager(isSpecific)
        try stores.migrate(mapping(), manager)
        let found = try migrated()
        #expect(found.names == ["Book 0", "Book 1", "Book 2"])
        let isKept = !found.keys.contains("p1")
        #expect(isKept == isSpecific, "\(found.keys)")
        #expect(manager.migrationProgress == 1 && manager.currentEntityMapping == nil)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stores.source)
        #expect(metadata[NSStoreUUIDKey] as? String != found.store)
        let after = try Data(contentsOf: stores.source)
        #expect(after == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: stores.folder.path)
        #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
    }

    @Test("a mapping that was inferred and then changed goes through the objects (MIG-17)")
    func changedMapping() throws {
        let mapping = try mapping()
        let name = mapping.entityMappings.first?.attributeMappings?.first { $0.name == "name" }
        try #require(name).valueExpression = NSExpression(format: "uppercase:($source.title)")
        try stores.migrate(mapping, manager())
        let found = try migrated()
        #expect(found.names == ["BOOK 0", "BOOK 1", "BOOK 2"])
    }

    @Test("what is refused is refused with the flag too, and leaves nothing (MIG-17)")
    func whatIsRefusedIsRefusedWithFlagToo() throws {
        let other = NSMigrationManager(sourceModel: stores.new, destinationModel: stores.new)
        let wrong = try NSMappingModel.inferredMappingModel(forSourceModel: stores.new, destinationModel: stores.new)
        let error = try stores.failure(wrong, other)
        #expect(error.code == NSMigrationMissingSourceModelError)
        try Data("taken".utf8).write(to: stores.destination)
        let taken = try stores.failure(mapping(), manager())
        #expect(taken.code == NSMigrationManagerDestinationStoreError)
    }
}
