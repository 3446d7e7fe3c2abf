import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// Copies of stores beside them.
@Suite struct StoreBackupTests {
    private static let model = MigrationScene.model { temporary in
        temporary.entity("Hero", ["name": .stringAttributeType, "picture": .binaryDataAttributeType])
        temporary.attribute("Hero.picture").allowsExternalBinaryDataStorage = true
    }
    private static let time = Date(timeIntervalSince1970: 1_709_208_000)

    private static func scene() throws -> MigrationScene {
        try MigrationScene(model) { context in
            context.insert("Hero", ["name": "Ada", "picture": Data(repeating: 1, count: 200_000)])
        }
    }

    @Test("a backup has what stood in the log, and is whole (MIG-17)")
    func backupHasWhatStoodInTheLog() throws {
        let scene = try Self.scene()
        // The files of a process that ended without closing the store: the last save is in the log alone.
        let crashed = try TemporaryFolder()
        let url = crashed.url.appendingPathComponent("Test.sqlite")
        try scene.with(Self.model) { context in
            context.insert("Hero", ["name": "Bob"])
            try context.save()
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: scene.url.path + suffix, toPath: url.path + suffix)
            }
        }
        try #require(FileManager.default.contents(atPath: url.path + "-wal")?.isEmpty == false)
        let backup = try StoreBackup.make(of: url, storeClass: SQLiteStore.self, at: Self.time)
        #expect(backup.lastPathComponent == "Test-backup-20240229-120000.sqlite")
        #expect(!FileManager.default.fileExists(atPath: backup.path + "-wal"))
        let connection = try Connection.open(backup.path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        #expect(try connection.value("SELECT count(*) FROM ZHERO")?.integer == 2)
        #expect(try connection.integrityFaults() == [])
    }

    @Test func backupHasItsOwnLargeValuesAndGoesWithThem() throws {
        let scene = try Self.scene()
        let before = try scene.files
        let backup = try StoreBackup.make(of: scene.url, storeClass: SQLiteStore.self, at: Self.time)
        #expect(try scene.files.contains(".Test-backup-20240229-120000_SUPPORT"))
        let second = try StoreBackup.make(of: scene.url, storeClass: SQLiteStore.self, at: Self.time)
        #expect(second.lastPathComponent == "Test-backup-20240229-120000-2.sqlite")
        try FileManager.default.removeItem(
            at: scene.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT"))
        let stack = try Stack(Self.model, url: backup)
        #expect(
            try stack.context.all("Hero")[0].value(forKey: "picture") as? Data == Data(repeating: 1, count: 200_000))
        try stack.coordinator.remove(stack.store)
        for url in [backup, second] { StoreBackup.remove(url, storeClass: SQLiteStore.self) }
        #expect(try scene.files == before.filter { $0 != ".Test_SUPPORT" })
    }

    @Test func storeThatSomebodyHasOpenIsNotBackedUp() throws {
        let scene = try Self.scene()
        let before = try scene.files
        try scene.with(Self.model) { context in
            _ = try context.all("Hero")
            let error = expectError(134110) { try StoreBackup.make(of: scene.url, storeClass: SQLiteStore.self) }
            #expect(error?.localizedDescription.contains("has it open") == true)
            // Whoever has it open still has its locks.
            context.insert("Hero", ["name": "Cid"])
            try context.save()
        }
        #expect(try scene.files == before)
        #expect(try scene.value("SELECT count(*) FROM ZHERO")?.integer == 2)
    }

    @Test func damagedStoreIsNotBackedUp() throws {
        let scene = try Self.scene()
        let file = try FileHandle(forUpdating: scene.url)
        try file.seek(toOffset: 4096 + 8)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 2000))
        try file.close()
        let before = try scene.files
        #expect(throws: (any Error).self) { try StoreBackup.make(of: scene.url, storeClass: SQLiteStore.self) }
        #expect(try scene.files == before)
    }
}
