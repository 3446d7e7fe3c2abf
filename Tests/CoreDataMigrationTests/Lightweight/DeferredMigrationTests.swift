import CoreData
import SQLiteKit
import StoreContract
import Testing

/// Migrations that leave what is expensive for later.
@Suite struct DeferredMigrationTests {
    private static let key = NSPersistentStoreDeferredLightweightMigrationOptionKey

    private static func old() -> NSManagedObjectModel {
        MigrationScene.model { builder in
            builder.entity("Note", ["title": .stringAttributeType, "body": .binaryDataAttributeType])
            builder.attribute("Note.body").allowsExternalBinaryDataStorage = true
            builder.entity("Tag", ["name": .stringAttributeType])
            builder.relationships("Note.tags*", "Tag.notes*")
        }
    }

    private static func new(_ change: (ModelBuilder) -> Void = { _ in }) -> NSManagedObjectModel {
        MigrationScene.model { builder in
            builder.entity("Note", ["title": .stringAttributeType])
            change(builder)
        }
    }

    private static func scene() throws -> MigrationScene {
        let scene = try MigrationScene(old()) { context in
            let note = context.insert("Note", ["title": "a", "body": Data(repeating: 1, count: 200_000)])
            note.mutableSetValue(forKey: "tags").add(context.insert("Tag", ["name": "t"]))
        }
        scene.options[key] = true
        return scene
    }

    private static func left(_ scene: MigrationScene) throws -> [String] {
        try scene.rows(
            "SELECT m.name || ifnull('.' || c.name, '') FROM sqlite_master m LEFT JOIN pragma_table_info(m.name) c "
                + "ON c.name = 'ZBODY' WHERE m.type = 'table' AND (m.name LIKE 'OPENCOREDATA%' AND m.name NOT LIKE '%OLD%' OR c.name NOT NULL) ORDER BY 1"
        ).compactMap { $0[0].text }
    }

    private static func files(_ scene: MigrationScene) -> Int {
        let folder = scene.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0
    }

    @Test(
        "unused columns and tables stay until they are dropped task by task (MIG-04, MIG-05)", arguments: [true, false])
    func unusedColumnsAndTablesStayUntilTheyAreDroppedTaskByTask(tracksHistory: Bool) throws {
        let scene = try Self.scene()
        if tracksHistory {
            scene.options[NSPersistentHistoryTrackingKey] = true
            scene.options[CoreDataHistoryKeepsOldValuesOption] = true
        }
        try scene.with(Self.new()) { context in
            let coordinator = try #require(context.persistentStoreCoordinator)
            let store = try #require(coordinator.persistentStores.first)
            #expect(store.metadata[Self.key] as? Bool == true)
            #expect(try Self.left(scene).count == 4 && Self.files(scene) == 1)
            context.insert("Note", ["title": "b"])
            try context.save()
            var rounds = 0
            while store.metadata[Self.key] != nil, rounds < 10 {
                try coordinator.finishDeferredLightweightMigrationTask()
                rounds += 1
                context.insert("Note", ["title": "round \(rounds)"])
                try context.save()
            }
            // Two tables, a column, and the last call, which finds nothing more.
            #expect(rounds == 4)
            #expect(try Self.left(scene) == [] && Self.files(scene) == 0)
            #expect(try context.all("Note").count == 6)
            try coordinator.finishDeferredLightweightMigrationTask()
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: scene.url)
        #expect(metadata[Self.key] == nil)
        #expect(try scene.value("PRAGMA integrity_check")?.text == "ok")
    }

    @Test("another opening meanwhile finds a store of the new version, and finishes it all at once (MIG-04)")
    func otherOpening() throws {
        let scene = try Self.scene()
        try scene.with(Self.new()) { _ in }
        #expect(try Self.left(scene).count == 4)
        // Without the option, as by a program that knows nothing of deferring.
        try scene.with(Self.new(), options: [:]) { context in
            #expect(try context.all("Note").map { $0.value(forKey: "title") as? String } == ["a"])
            try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
        }
        #expect(try Self.left(scene) == [])
    }

    @Test("the next migration comes before the rest is done, and may use the names again (MIG-15)")
    func nextMigration() throws {
        let scene = try Self.scene()
        try scene.with(Self.new()) { _ in }
        let third = Self.new { builder in
            builder["Note"].properties += LightweightMigrationTests.attributes(["body": .binaryDataAttributeType])
            builder.entity("Tag", ["name": .stringAttributeType])
            builder.relationships("Note.tags*", "Tag.notes*")
        }
        try scene.with(third, options: MigrationScene.automatic) { context in
            let note = try #require(try context.all("Note").first)
            #expect(note.value(forKey: "body") == nil && (note.value(forKey: "tags") as? NSSet)?.count == 0)
            #expect(try context.all("Tag").isEmpty)
        }
        #expect(try Self.left(scene) == ["ZNOTE.ZBODY"])
        #expect(Self.files(scene) == 0)
    }

    @Test("tasks of a hostile file drop nothing that the model knows (HAZ-02)")
    func hostileTasks() throws {
        let scene = try Self.scene()
        try scene.with(Self.new()) { _ in }
        let connection = try Connection.open(scene.url.path)
        for (table, column) in [("ZNOTE", "ZTITLE"), ("ZNOTE", "Z_PK"), ("Z_METADATA", "Z_PLIST"), ("ZNOTE", "x\" y")] {
            try connection.execute(
                "INSERT INTO OpenCoreDataDeferredTasks (TABLENAME, COLUMNNAME) VALUES (?, ?)",
                [.text(table), .text(column)])
        }
        for table in ["ZNOTE", "Z_PRIMARYKEY", "sqlite_master"] {
            try connection.execute("INSERT INTO OpenCoreDataDeferredTasks (TABLENAME) VALUES (?)", [.text(table)])
        }
        connection.close()
        try scene.with(Self.new(), options: [:]) { context in
            try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
            #expect(try context.all("Note").map { $0.value(forKey: "title") as? String } == ["a"])
        }
    }
}
