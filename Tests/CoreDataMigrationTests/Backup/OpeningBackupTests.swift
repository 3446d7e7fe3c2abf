import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// The copy that is made when an opened store is migrated.
@Suite struct OpeningBackupTests {
    private static func old() -> NSManagedObjectModel {
        MigrationScene.model { temporary in
            temporary.entity("Note", ["title": .stringAttributeType, "body": .binaryDataAttributeType])
            temporary.attribute("Note.body").allowsExternalBinaryDataStorage = true
        }
    }

    private static func new() -> NSManagedObjectModel {
        MigrationScene.model { $0.entity("Note", ["title": .stringAttributeType]) }
    }

    private static func scene() throws -> MigrationScene {
        try MigrationScene(old()) { context in
            context.insert("Note", ["title": "a", "body": Data(repeating: 7, count: 200_000)])
            context.insert("Note", ["title": "a"])
        }
    }

    private static func backups(_ scene: MigrationScene) throws -> [String] {
        try scene.files.filter { $0.hasPrefix("Test-backup-") && $0.hasSuffix(".sqlite") }
    }

    @Test("the copy is whole and of the old version, and goes with the first save that succeeds (MIG-17)")
    func copyGoesWithTheFirstSave() throws {
        let scene = try Self.scene()
        scene.options[CoreDataMigrationBackupOption] = true
        try scene.with(Self.new()) { _ in }
        let names = try Self.backups(scene)
        #expect(names.count == 1)
        let copy = scene.url.deletingLastPathComponent().appendingPathComponent(try #require(names.first))
        let stack = try Stack(Self.old(), url: copy)
        let sizes = try stack.context.all("Note").compactMap { ($0.value(forKey: "body") as? Data)?.count }
        #expect(sizes == [200_000])
        try stack.coordinator.remove(stack.store)
        // Opening alone, and a save without changes, leave it.
        try scene.with(Self.new()) { try $0.save() }
        #expect(try Self.backups(scene) == names)
        try scene.with(Self.new()) { context in
            context.insert("Note", ["title": "b"])
            try context.save()
            context.insert("Note", ["title": "c"])
            try context.save()
        }
        #expect(try scene.files.filter { $0.contains("backup") } == [])
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: scene.url)
        #expect(metadata["CoreDataMigrationBackup"] == nil)
    }

    @Test("a migration that fails leaves no copy; without the option none is made (MIG-17)")
    func noCopyWithoutNeed() throws {
        let scene = try Self.scene()
        let unique = MigrationScene.model { temporary in
            temporary.entity("Note", ["title": .stringAttributeType])
            temporary["Note"].uniquenessConstraints = [["title"]]
        }
        let options = scene.options.merging([CoreDataMigrationBackupOption: true]) { $1 }
        expectError(134111) { try scene.with(unique, options: options) { _ in } }
        #expect(try scene.files.filter { $0.contains("backup") } == [])
        try scene.with(Self.new()) { _ in }
        #expect(try scene.files.filter { $0.contains("backup") } == [])
    }

    @Test("a container makes a copy by itself, unless its description says no (MIG-17)", arguments: [true, false])
    func containerMakesCopyByItself(isDefault: Bool) throws {
        let scene = try Self.scene()
        let container = NSPersistentContainer(name: "Test", managedObjectModel: Self.new())
        let description = NSPersistentStoreDescription(url: scene.url)
        if !isDefault { description.setOption(NSNumber(value: false), forKey: CoreDataMigrationBackupOption) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        #expect(failure == nil)
        #expect(try Self.backups(scene).count == (isDefault ? 1 : 0))
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        try container.persistentStoreCoordinator.remove(store)
    }

    @Test("metadata that name another file remove nothing (HAZ-02)")
    func hostileNames() throws {
        let scene = try Self.scene()
        let folder = scene.url.deletingLastPathComponent()
        let victim = folder.appendingPathComponent("victim.sqlite")
        try Data("x".utf8).write(to: victim)
        for name in [
            "victim.sqlite", "../victim.sqlite", "Test-backup-/../victim.sqlite", "Test-backup-20240101-12000a.sqlite",
        ] {
            try NSPersistentStoreCoordinator.setMetadata(
                ["CoreDataMigrationBackup": name], forPersistentStoreOfType: NSSQLiteStoreType, at: scene.url)
            try scene.with(Self.old()) { context in
                context.insert("Note", ["title": name])
                try context.save()
            }
            #expect(FileManager.default.fileExists(atPath: victim.path))
        }
    }
}
