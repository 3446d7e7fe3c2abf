import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Destroying stores")
struct DestroyTests {
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())

    static func withLargeValue(_ name: String = "Large.sqlite", in folder: URL? = nil) throws -> URL {
        let folder = try folder ?? Fixtures.temporaryFolder()
        let url = folder.appendingPathComponent(name)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.insert("Novel", ["title": "Large", "cover": Data(repeating: 7, count: 200_000)])
        try context.save()
        try coordinator.remove(store)
        return url
    }

    static func externalFiles(_ url: URL) -> [String] {
        let name = url.deletingPathExtension().lastPathComponent
        let folder = url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    @Test("a destroyed store is gone with its log and its large values, and a new one can be added there (STO-28)")
    func destroyedStoreIsGoneWithItsLogAndItsLargeValues() throws {
        let url = try Self.withLargeValue()
        #expect(Self.externalFiles(url).count == 1)
        let identity = try Opened(url).store.identifier
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        let left = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        #expect(left == ["Large.sqlite"])
        #expect(try Data(contentsOf: url).count <= 4096)
        let opened = try Opened(url)
        #expect(opened.store.identifier != identity)
        #expect(try opened.fetch("Novel").isEmpty)
        opened.context.insert("Novel", ["title": "New"])
        try opened.context.save()
        #expect(Survey(url).contents?.count == 1)
        let connection = try Connection.open(url.path)
        #expect(try connection.pragma("auto_vacuum")?.integer == 2)
        #expect(try connection.integrityFaults().isEmpty)
    }

    @Test(
        "destroying twice, or what is missing, or nothing but a stale log, leaves an empty file without an error (STO-28)"
    )
    func nothingThere() throws {
        let url = try SampleStore.make()
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        let missing = try Fixtures.temporaryFolder().appendingPathComponent("missing.sqlite")
        try Data("stale".utf8).write(to: URL(fileURLWithPath: missing.path + "-wal"))
        try coordinator.destroyPersistentStore(at: missing, type: .sqlite)
        let folder = missing.deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["missing.sqlite"])
        #expect(try Opened(missing).fetch("Novel").isEmpty)
        let link = folder.appendingPathComponent("link.sqlite")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: folder.appendingPathComponent("nowhere"))
        try coordinator.destroyPersistentStore(at: link, type: .sqlite)
        let unwanted = folder.appendingPathComponent("unwanted.sqlite")
        try coordinator.destroyPersistentStore(
            at: unwanted, type: .sqlite, options: [NSReadOnlyPersistentStoreOption: true])
        try coordinator.destroyPersistentStore(at: folder.appendingPathComponent("no/folder.sqlite"), type: .sqlite)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names).isDisjoint(with: ["nowhere", "unwanted.sqlite", "no"]))
        try coordinator.destroyPersistentStore(at: url, type: .inMemory)
        try coordinator.destroyPersistentStore(at: URL(fileURLWithPath: "/dev/null"), type: .sqlite)
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    }

    @Test("who has a destroyed store open gets an error, not old data, and harms nothing (STO-28)")
    func openElsewhere() throws {
        let url = try SampleStore.make()
        let opened = try Opened(url)
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        expectError(134180) { try opened.fetch("Novel") }
        opened.context.insert("Tag", ["word": "late"])
        expectError(134180) { try opened.context.save() }
        #expect(opened.context.hasChanges)
        let fresh = try Opened(url)
        #expect(try fresh.fetch("Tag").isEmpty)
    }

    @Test(
        "a store that another connection writes to is not destroyed, unless by force (STO-28)", .timeLimit(.minutes(20))
    )
    func storeThatAnotherConnectionWritesToIsNotDestroyed() throws {
        let url = try SampleStore.make()
        let expected = try #require(Survey(url).contents)
        let other = try Connection.open(url.path)
        try other.begin(.immediate)
        let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.05]
        let error = #expect(throws: NSError.self) {
            try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
        }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(error?.userInfo[NSSQLiteErrorDomain] as? Int == 5)
        try other.rollBack()
        #expect(Survey(url).contents == expected)
        try other.begin(.immediate)
        let forced = options.merging([NSPersistentStoreForceDestroyOption: true]) { $1 }
        try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: forced)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try other.rollBack()
    }

    @Test("a file that is not a store is never destroyed, by force or not (STO-28, HAZ-01)", .timeLimit(.minutes(20)))
    func noStores() throws {
        let folder = try Fixtures.temporaryFolder()
        let database = folder.appendingPathComponent("other.sqlite")
        try SampleStore.create(database, "CREATE TABLE notes (text)")
        let text = folder.appendingPathComponent("text")
        try Data(String(repeating: "no database ", count: 500).utf8).write(to: text)
        let pipe = folder.appendingPathComponent("pipe")
        mkfifo(pipe.path, 0o644)
        let before = try (Data(contentsOf: database), Data(contentsOf: text))
        for url in [database, text, pipe, folder] {
            for force in [false, true] {
                let options = [NSPersistentStoreForceDestroyOption: force]
                expectError(url == text ? 259 : NSPersistentStoreOpenError, comment: "\(url)") {
                    try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
                }
            }
        }
        #expect(try Data(contentsOf: database) == before.0)
        #expect(try Data(contentsOf: text) == before.1)
        #expect(FileManager.default.fileExists(atPath: pipe.path))
    }

    @Test("a damaged store is destroyed by force (STO-28, HAZ-05)")
    func damagedStoreIsDestroyedByForce() throws {
        let url = try SampleStore.make()
        var bytes = try Data(contentsOf: url)
        for index in 40..<4096 { bytes[index] = 0xA5 }
        try bytes.write(to: url)
        expectError(134180) { try coordinator.destroyPersistentStore(at: url, type: .sqlite) }
        let options = [NSPersistentStoreForceDestroyOption: true]
        try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
        #expect(Survey(url).contents?.isEmpty == true)
    }

    @Test("large values of a store beside it with the same name are left alone (STO-28)")
    func largeValuesOfStoreBesideItWithSameNameAreLeftAlone() throws {
        let first = try Self.withLargeValue("Large.sqlite")
        let second = try Self.withLargeValue("Large.db", in: first.deletingLastPathComponent())
        let expected = try #require(Survey(second).contents)
        try coordinator.destroyPersistentStore(at: first, type: .sqlite)
        let survey = Survey(second)
        #expect(survey.contents == expected)
        #expect(survey.reports.isEmpty)
    }
}
