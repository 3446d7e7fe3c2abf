import CoreData
import StoreContract
import TestBasics
import Testing

/// Stores as coordinators know them: classes of programs, descriptions, files that are not open.
struct StoreAdministrationTests {
    /// A store of a program, which keeps nothing and tells what it is asked.
    private final class NotedStore: NSPersistentStore, @unchecked Sendable {
        static let kind = "NotedStore"
        private(set) var notes: [String] = []

        override var type: String { Self.kind }

        override func loadMetadata() throws {
            notes.append("load")
            metadata = [NSStoreTypeKey: Self.kind, NSStoreUUIDKey: identifier ?? ""]
        }

        override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
            notes.append("add \(coordinator.name ?? "-")")
        }

        override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { notes.append("remove") }

        override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
            [NSStoreTypeKey: kind, "path": url.lastPathComponent]
        }

        override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
            throw CocoaError(.persistentStoreOperation, userInfo: ["keys": metadata?.keys.sorted() ?? []])
        }
    }

    @Test("A program's class of stores is registered, opened by its name, notified, and taken out again")
    func registersClass() throws {
        let url = URL(fileURLWithPath: "/nowhere/noted")
        NSPersistentStoreCoordinator.registerStoreClass(NotedStore.self, forStoreType: NotedStore.kind)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[NotedStore.kind] == NotedStore.self)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        coordinator.name = "Noted"
        let store = try coordinator.addPersistentStore(ofType: NotedStore.kind, configurationName: nil, at: url)
        let noted = try #require(store as? NotedStore)
        #expect(noted.notes == ["load", "add Noted"] && noted.metadata[NSStoreTypeKey] as? String == NotedStore.kind)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NotedStore.kind, at: url, options: nil)
        #expect(metadata["path"] as? String == "noted")
        let failure = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.setMetadata(
                ["a": 1], forPersistentStoreOfType: NotedStore.kind, at: url, options: nil)
        }
        #expect(failure?.userInfo["keys"] as? [String] == ["a"])
        try coordinator.remove(store)
        #expect(noted.notes.last == "remove")
        NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: NotedStore.kind)
        let unknown = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: NotedStore.kind, configurationName: nil, at: url)
        }
        #expect(unknown?.code == NSPersistentStoreInvalidTypeError)
    }

    @Test("A description's options and pragmas reach the store, whose container has its name")
    func descriptionsOptionsAndPragmasReachStore() throws {
        let folder = try TemporaryFolder()
        let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("A.sqlite"))
        description.setValue(NSString(string: "DELETE"), forPragmaNamed: "journal_mode")
        description.setOption(NSNumber(value: 2), forKey: NSPersistentStoreConnectionPoolMaxSizeKey)
        #expect(description.sqlitePragmas["journal_mode"] as? String == "DELETE")
        #expect(description.options[NSPersistentStoreConnectionPoolMaxSizeKey] as? Int == 2)
        let container = NSPersistentContainer(name: "Described", managedObjectModel: HeroModel.make())
        #expect(container.name == "Described")
        var failure: (any Error)?
        container.persistentStoreCoordinator.addPersistentStore(with: description) { given, error in
            #expect(given === description)
            failure = error
        }
        #expect(failure == nil)
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        #expect(store.options?[NSPersistentStoreConnectionPoolMaxSizeKey] as? Int == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("A.sqlite-wal").path))
    }

    @Test("A program's metadata leave alone what says which framework can read the store")
    func keepsVersions() throws {
        let stack = try HeroModel.stack(.sqlite)
        var metadata = stack.coordinator.metadata(for: stack.store)
        #expect(metadata["NSPersistenceFrameworkVersion"] as? Double == NSCoreDataVersionNumber)
        metadata["NSPersistenceFrameworkVersion"] = 1
        metadata[NSPersistentStoreOSCompatibility] = "99"
        metadata["own"] = "mine"
        stack.coordinator.setMetadata(metadata, for: stack.store)
        try stack.context.save()
        let written = stack.coordinator.metadata(for: stack.store)
        #expect(written["own"] as? String == "mine")
        #expect(written["NSPersistenceFrameworkVersion"] as? Double == NSCoreDataVersionNumber)
        #expect(written[NSPersistentStoreOSCompatibility] == nil)
    }

    @Test("A store takes the place of another by the name of its kind")
    func storeTakesPlaceOfAnotherByNameOfItsKind() throws {
        let (one, other) = (try HeroModel.stack(), try HeroModel.stack())
        one.context.insert("Hero", ["name": "Ann"])
        other.context.insert("Hero", ["name": "Bob"])
        try one.context.save()
        try other.context.save()
        for stack in [one, other] { try stack.coordinator.remove(stack.store) }
        try one.coordinator.replacePersistentStore(
            at: one.url, destinationOptions: nil, withPersistentStoreFrom: other.url, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        let opened = try Stack(one.model, url: one.url)
        #expect(try opened.context.all("Hero").compactMap { $0.value(forKey: "name") as? String } == ["Bob"])
    }

    @Test("Kinds of stores are called as the constants say")
    func kindsOfStoresAreCalledAsConstantsSay() throws {
        let kinds: [NSPersistentStore.StoreType] = [.sqlite, .binary, .inMemory, .xml]
        #expect(
            kinds.map(\.rawValue) == [NSSQLiteStoreType, NSBinaryStoreType, NSInMemoryStoreType, NSXMLStoreType])
        #expect(kinds.map(\.rawValue) == ["SQLite", "Binary", "InMemory", "XML"])
    }
}
