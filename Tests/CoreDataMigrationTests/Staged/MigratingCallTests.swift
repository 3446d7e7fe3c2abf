import CoreData
import StoreContract
import TestBasics
import Testing

/// `NSPersistentStoreCoordinator.migrateStore(at:type:to:configuration:options:)`.
@Suite struct MigratingCallTests {
    private static let names = MigrationScene.model { $0.entity("Person", ["name": .stringAttributeType]) }
    private static let ages = MigrationScene.model {
        $0.entity("Person", ["name": .stringAttributeType, "age": .integer32AttributeType])
    }

    private static func scene() throws -> MigrationScene {
        try MigrationScene(ages) { context in
            for age in 1...3 { context.insert("Person", ["name": "P\(age)", "age": age]) }
        }
    }

    private static func ages(in scene: MigrationScene) throws -> [Int?] {
        try scene.with(ages, options: [:]) { context in
            try context.all("Person", sortedBy: "name").map { $0.value(forKey: "age") as? Int }
        }
    }

    @Test(
        "a store goes to an older version and back by a call of its own, and values that are kept come again (MIG-16)")
    func backAndForth() throws {
        let scene = try Self.scene()
        // Stages lead forward only.
        let manager = NSStagedMigrationManager([
            NSLightweightMigrationStage([Self.names.versionChecksum, Self.ages.versionChecksum])
        ])
        let options: [AnyHashable: Any] = [
            NSPersistentStoreStagedMigrationManagerOptionKey: manager, CoreDataMigrationKeepsValuesOption: true,
        ]
        expectError(134506) {
            try scene.with(Self.names, options: options.merging(MigrationScene.automatic) { $1 }) { _ in }
        }
        try NSPersistentStoreCoordinator.migrateStore(
            at: scene.url, type: .sqlite, to: Self.names, options: options)
        try scene.with(Self.names, options: [:]) { context in
            let people = try context.all("Person", sortedBy: "name")
            #expect(people.map { $0.value(forKey: "name") as? String } == ["P1", "P2", "P3"])
        }
        try NSPersistentStoreCoordinator.migrateStore(at: scene.url, type: .sqlite, to: Self.ages, options: options)
        let ages = try Self.ages(in: scene)
        #expect(ages == [1, 2, 3])
        let bytes = scene.bytes
        try NSPersistentStoreCoordinator.migrateStore(at: scene.url, type: .sqlite, to: Self.ages)
        #expect(scene.bytes == bytes)
    }

    @Test(
        "losing migrations, open stores, other files and unknown kinds are refused and left as they were (MIG-16)"
    )
    func losingMigrationsAreRefused() throws {
        let scene = try Self.scene()
        expectError(134190) {
            try NSPersistentStoreCoordinator.migrateStore(
                at: scene.url, type: .sqlite, to: Self.names, options: [CoreDataMigrationRefusesLossOption: true])
        }
        try scene.with(Self.ages, options: [:]) { _ in
            expectError(134110) {
                try NSPersistentStoreCoordinator.migrateStore(at: scene.url, type: .sqlite, to: Self.names)
            }
        }
        let ages = try Self.ages(in: scene)
        #expect(ages == [1, 2, 3])
        expectError(134000) {
            try NSPersistentStoreCoordinator.migrateStore(
                at: scene.url, type: .init(rawValue: "Other"), to: Self.names)
        }
        let missing = scene.url.deletingLastPathComponent().appendingPathComponent("Missing.sqlite")
        expectError(134080) {
            try NSPersistentStoreCoordinator.migrateStore(at: missing, type: .sqlite, to: Self.names)
        }
        #expect(!FileManager.default.fileExists(atPath: missing.path))
    }
}
