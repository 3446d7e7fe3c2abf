import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Metadata of stores")
struct MetadataTests {
    private typealias Coordinator = NSPersistentStoreCoordinator

    private static func read(_ url: URL) throws -> [String: Any] {
        try Coordinator.metadataForPersistentStore(type: .sqlite, at: url)
    }

    @Test("own keys are seen at once, written by the next save, and outlive saves, reopening and copies (STO-12)")
    func ownKeysSurvive() throws {
        let stack = try HeroModel.stack()
        let before = stack.coordinator.metadata(for: stack.store)
        var metadata = before
        metadata["author"] = "Somebody"
        metadata["list"] = [1, 2.5, true, Data([1]), ["deep": Date(timeIntervalSinceReferenceDate: 7)]] as [Any]
        stack.coordinator.setMetadata(metadata, for: stack.store)
        #expect(stack.coordinator.metadata(for: stack.store)["author"] as? String == "Somebody")
        #expect(try Self.read(stack.url)["author"] == nil, "not before a save")
        stack.context.insert("Hero", ["name": "A"])
        try stack.context.save()
        stack.context.insert("Hero", ["name": "B"])
        try stack.context.save()
        let other = try stack.another()
        let reread = other.coordinator.metadata(for: other.store)
        #expect(reread["author"] as? String == "Somebody")
        let list = try #require(reread["list"] as? [Any])
        #expect(list[0] as? Int == 1 && list[1] as? Double == 2.5 && list[2] as? Bool == true)
        #expect((list[4] as? [String: Any])?["deep"] as? Date == Date(timeIntervalSinceReferenceDate: 7))
        for key in before.keys { #expect(reread[key] != nil, "\(key)") }
        let copy = try Fixtures.temporaryFolder().appendingPathComponent("Copy.sqlite")
        try stack.coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: stack.url, type: .sqlite)
        #expect(try Self.read(copy)["author"] as? String == "Somebody")
    }

    @Test("a save without changed objects writes the metadata, and only once (STO-12)")
    func metadataAlone() throws {
        let stack = try HeroModel.stack()
        stack.coordinator.setMetadata(["author": "Somebody"], for: stack.store)
        #expect(!stack.context.hasChanges)
        try stack.context.save()
        #expect(try Self.read(stack.url)["author"] as? String == "Somebody")
        try stack.expectStatements(0) { try stack.context.save() }
        stack.coordinator.setMetadata(nil, for: stack.store)
        try stack.context.save()
        #expect(try Self.read(stack.url)["author"] == nil)
        #expect(try Self.read(stack.url)[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    }

    @Test("what the store says of itself cannot be lost or changed (STO-12)")
    func storeKeys() throws {
        let stack = try HeroModel.stack()
        let before = try Self.read(stack.url)
        stack.coordinator.setMetadata(
            [
                NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: "XML",
                NSStoreModelVersionHashesKey: [String: Data](), "mine": 1,
            ], for: stack.store)
        try stack.context.save()
        var after = try Self.read(stack.url)
        #expect(after.removeValue(forKey: "mine") as? Int == 1)
        #expect(NSDictionary(dictionary: after) == NSDictionary(dictionary: before))
        try Coordinator.setMetadata(nil, forPersistentStoreOfType: NSSQLiteStoreType, at: stack.url)
        #expect(NSDictionary(dictionary: try Self.read(stack.url)) == NSDictionary(dictionary: before))
        #expect(try stack.another().store.identifier == stack.store.identifier)
    }

    @Test("the static forms change the metadata alone, in a store of any journal mode, open or not (STO-12)")
    func staticForms() throws {
        let url = try SampleStore.make()
        let contents = try #require(Survey(url).contents)
        let schema = try Self.rows(url, "SELECT * FROM sqlite_master ORDER BY name")
        try Coordinator.setMetadata(["a": "b"], type: .sqlite, at: url)
        #expect(try Self.read(url)["a"] as? String == "b")
        let opened = try Opened(url)
        try Coordinator.setMetadata(["c": 3], type: .sqlite, at: url)
        #expect(try Coordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)["c"] as? Int == 3)
        #expect(try Self.read(url)["a"] == nil)
        try opened.coordinator.remove(opened.store)
        #expect(try Self.rows(url, "SELECT * FROM sqlite_master ORDER BY name") == schema)
        #expect(Survey(url).contents == contents)
    }

    @Test("a new identity can be given to a store that is not open, if it is one (STO-12)")
    func newIdentity() throws {
        let url = try SampleStore.make()
        let identity = UUID().uuidString
        try Coordinator.setMetadata([NSStoreUUIDKey: identity], type: .sqlite, at: url)
        #expect(try Opened(url).store.identifier == identity)
        #expect(code { try Coordinator.setMetadata([NSStoreUUIDKey: "me"], type: .sqlite, at: url) } == 134_030)
        #expect(try Opened(url).store.identifier == identity)
    }

    @Test("values that no property list can hold are refused by key, and the save is taken back whole (STO-12)")
    func valuesThatCannotBeKept() throws {
        struct Strange {}
        let stack = try HeroModel.stack()
        stack.context.insert("Hero", ["name": "A"])
        stack.coordinator.setMetadata(["odd": Strange(), "fine": 1], for: stack.store)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedDescription.contains("'odd'") == true)
        #expect(try stack.integer("SELECT count(*) FROM ZHERO") == 0)
        stack.coordinator.setMetadata(["fine": 1], for: stack.store)
        try stack.context.save()
        #expect(try stack.integer("SELECT count(*) FROM ZHERO") == 1)
        let huge = ["huge": Data(count: 17 << 20)]
        #expect(code { try Coordinator.setMetadata(huge, type: .sqlite, at: stack.url) } == 134_030)
        #expect(try Self.read(stack.url)["fine"] as? Int == 1)
    }

    @Test("metadata of a read-only store is not saved, and the save says so (STO-12)")
    func readOnly() throws {
        let url = try SampleStore.make()
        let before = try Data(contentsOf: url)
        let coordinator = Coordinator(managedObjectModel: SampleStore.model())
        let store = try coordinator.addPersistentStore(
            type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        coordinator.setMetadata(["a": 1], for: store)
        #expect(code { try context.save() } == NSPersistentStoreSaveError)
        try coordinator.remove(store)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("a file that is not a store is refused and left as it is (STO-12, HAZ-01)", .timeLimit(.minutes(20)))
    func noStores() throws {
        let folder = try Fixtures.temporaryFolder()
        let database = folder.appendingPathComponent("other.sqlite")
        try SampleStore.create(database, "CREATE TABLE notes (text)")
        let text = folder.appendingPathComponent("text")
        try Data("no database".utf8).write(to: text)
        let pipe = folder.appendingPathComponent("pipe")
        mkfifo(pipe.path, 0o644)
        let before = try Data(contentsOf: database)
        for url in [database, text, pipe, folder, folder.appendingPathComponent("missing")] {
            let expected = url == text ? NSFileReadCorruptFileError : NSPersistentStoreOpenError
            #expect(code { try Coordinator.setMetadata(["a": 1], type: .sqlite, at: url) } == expected, "\(url)")
            #expect(code { _ = try Self.read(url) } == expected, "\(url)")
        }
        #expect(try Data(contentsOf: database) == before)
        #expect(code { try Coordinator.setMetadata([:], forPersistentStoreOfType: "None", at: database) } == 134_000)
        #expect(code { _ = try Coordinator.metadataForPersistentStore(ofType: "None", at: database) } == 134_000)
    }

    private static func rows(_ url: URL, _ sql: String) throws -> [[Value]] {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        return try connection.rows(sql)
    }
}
