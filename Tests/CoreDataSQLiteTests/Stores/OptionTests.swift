import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

@Suite("Options of stores")
struct OptionTests {
    private static func file(_ url: URL, _ options: [AnyHashable: Any]) throws -> (Opened, StoreFile) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
        let opened = Opened(coordinator, try #require(store as? SQLiteStore))
        return (opened, try #require(store.objects as? StoreFile))
    }

    private final class Opened {
        let coordinator: NSPersistentStoreCoordinator
        let store: SQLiteStore

        init(_ coordinator: NSPersistentStoreCoordinator, _ store: SQLiteStore) {
            self.coordinator = coordinator
            self.store = store
        }
    }

    @Test("pragmas are in effect, as SQLite itself says (STO-21)", arguments: [true, false])
    func pragmasAreInEffect(isNew: Bool) throws {
        let url = isNew ? try Fixtures.temporaryFolder().appendingPathComponent("New.sqlite") : try SampleStore.make()
        let pragmas: [String: Any] = [
            "journal_mode": "DELETE", "synchronous": NSNumber(value: 1), "cache_size": "-4000", "secure_delete": "ON",
        ]
        let (opened, file) = try Self.file(url, [NSSQLitePragmasOption: pragmas])
        #expect(try file.connection.pragma("journal_mode")?.text == "delete")
        #expect(try file.connection.pragma("synchronous")?.integer == 1)
        #expect(try file.connection.pragma("cache_size")?.integer == -4000)
        #expect(try file.connection.pragma("secure_delete")?.integer == 1)
        #expect(!opened.store.isReadOnly)
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
    }

    @Test("without options a new store has pages of 4096 bytes, incremental vacuum, a log and full syncs (STO-21)")
    func withoutOptionsNewStoreHasPagesOf4096Bytes() throws {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("New.sqlite")
        let (opened, file) = try Self.file(
            url, ["SomeOptionOfTheProgram": 1, NSPersistentStoreFileProtectionKey: "none"])
        let expected: [(String, Value)] = [
            ("page_size", .integer(4096)), ("auto_vacuum", .integer(2)), ("journal_mode", .text("wal")),
            ("synchronous", .integer(2)),
        ]
        for (name, value) in expected { #expect(try file.connection.pragma(name) == value, "\(name)") }
        #expect(opened.coordinator.persistentStores.count == 1)
    }

    @Test(
        "a pragma that is refused, or not to be had, says so and leaves the file (STO-21)",
        arguments: [
            (["writable_schema": "ON"], NSCoreDataError), (["journal_mode": "bogus"], NSCoreDataError),
            (["journal_mode": "wal; DROP TABLE ZBOOK"], NSPersistentStoreOpenError),
            (["synchronous": "NORMAL; x"], NSPersistentStoreOpenError),
        ])
    func refusedPragmas(pragmas: [String: String], code: Int) throws {
        let url = try SampleStore.make()
        let before = try Data(contentsOf: url)
        expectError(code) { try Self.file(url, [NSSQLitePragmasOption: pragmas]) }
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("analyze and manual vacuum do their work when the store is opened (STO-21)")
    func analyzeAndManualVacuumDoTheirWorkWhenStoreIsOpened() throws {
        let url = try SampleStore.make()
        let expected = try #require(Survey(url).contents)
        try SampleStore.tamper(
            url, "CREATE TABLE Zfill AS SELECT randomblob(400000) AS b", "DROP TABLE Zfill")
        let size = try Data(contentsOf: url).count
        let (opened, file) = try Self.file(
            url, [NSSQLiteAnalyzeOption: NSNumber(value: true), NSSQLiteManualVacuumOption: "YES"])
        #expect((try file.connection.value("SELECT count(*) FROM sqlite_stat1")?.integer ?? 0) > 0)
        #expect(try file.connection.pragma("freelist_count")?.integer == 0)
        try opened.coordinator.remove(opened.store)
        #expect(try Data(contentsOf: url).count < size)
        #expect(Survey(url).contents == expected)
    }

    @Test("a read-only store refuses saves and changes no byte, whatever the options ask (STO-29)")
    func readOnly() throws {
        let url = try SampleStore.make()
        let before = try Data(contentsOf: url)
        let (opened, _) = try Self.file(
            url,
            [
                NSReadOnlyPersistentStoreOption: true, NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true,
                NSSQLitePragmasOption: ["journal_mode": "delete"],
            ])
        #expect(opened.store.isReadOnly)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = opened.coordinator
        context.insert("Tag", ["word": "x"])
        #expect(code { try context.save() } == NSPersistentStoreSaveError)
        try opened.coordinator.remove(opened.store)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("A store that is made read-only before it is loaded opens its file for reading")
    func readOnlyBeforeLoading() throws {
        let url = try SampleStore.make()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let storeClass = try #require(NSPersistentStoreCoordinator.registeredStoreTypes[NSSQLiteStoreType])
        for isReadOnly in [true, false] {
            let store = storeClass.init(
                persistentStoreCoordinator: coordinator, configurationName: nil, at: url,
                options: [NSReadOnlyPersistentStoreOption: !isReadOnly])
            store.isReadOnly = isReadOnly
            try store.loadMetadata()
            #expect(store.isReadOnly == isReadOnly && store.objects?.isReadOnly == isReadOnly)
            store.willRemove(from: coordinator)
        }
    }

    @Test("A store waits for another connection as long as its timeout says", .timeLimit(.minutes(20)))
    func storeWaitsForAnotherConnectionAsLongAsItsTimeoutSays() throws {
        let url = try SampleStore.make()
        let (opened, _) = try Self.file(url, [NSPersistentStoreTimeoutOption: 0.05])
        let other = try Connection.open(url.path)
        try other.begin(.immediate)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = opened.coordinator
        context.insert("Tag", ["word": "x"])
        let start = Date()
        #expect(code { try context.save() } == NSPersistentStoreTimeoutError)
        #expect(Date().timeIntervalSince(start) < 3)
        try other.rollBack()
        try context.save()
    }

    @Test("A store with other version hashes opens when versioning is ignored")
    func ignoredVersions() throws {
        let url = try SampleStore.make()
        let model = SampleStore.model()
        model.entitiesByName["Tag"]?.versionHashModifier = "changed"
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        #expect(code { _ = try coordinator.addPersistentStore(type: .sqlite, at: url) } == 134_100)
        try coordinator.addPersistentStore(
            type: .sqlite, at: url, options: [NSIgnorePersistentStoreVersioningOption: NSNumber(value: true)])
        #expect(coordinator.persistentStores.count == 1)
    }

    @Test("a SQLite store at /dev/null keeps all in memory, large values too, each coordinator its own (STO-03)")
    func nullDevice() throws {
        let url = URL(fileURLWithPath: "/dev/null")
        let before = try FileManager.default.contentsOfDirectory(atPath: "/dev").sorted()
        let (opened, file) = try Self.file(url, [:])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = opened.coordinator
        let large = Data(repeating: 3, count: 300_000)
        context.insert("Novel", ["title": "T", "cover": large])
        try context.save()
        context.reset()
        #expect(try context.all("Novel").first?.value(forKey: "cover") as? Data == large)
        #expect(file.connection.path == nil)
        #expect(
            opened.store.capabilities == [.derivedAttributes, .uniqueValues] && !opened.store.isReadOnly
                && opened.store.url == url)
        let (second, _) = try Self.file(url, [:])
        #expect(second.store.identifier != opened.store.identifier)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/dev").sorted() == before)
        try opened.coordinator.addPersistentStore(type: .sqlite, at: url)
        #expect(opened.coordinator.persistentStores.count == 2)
    }
}
