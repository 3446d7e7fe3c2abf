import CoreData
import StoreContract
import Testing

/// SQLite stores at `/dev/null` and below it, which are in memory.
@Suite struct MemoryPlaceTests {
    private static func coordinator(_ name: String) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        let url = URL(fileURLWithPath: "/dev/null").appendingPathComponent(name)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        return coordinator
    }

    private static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test("a description that is given no URL is one of a SQLite store in memory (STO-03)")
    func descriptionWithoutURL() throws {
        let description = NSPersistentStoreDescription()
        #expect(description.url == URL(fileURLWithPath: "/dev/null") && description.type == NSSQLiteStoreType)
        #expect((description.copy() as? NSPersistentStoreDescription)?.url == description.url)
        let container = NSPersistentContainer(name: "Memory", managedObjectModel: HeroModel.make())
        container.persistentStoreDescriptions = [description]
        var errors: [(any Error)?] = []
        container.loadPersistentStores { errors.append($1) }
        #expect(errors.count == 1 && errors[0] == nil)
        let context = container.newBackgroundContext()
        context.insert("Hero", ["name": "Ann"])
        try context.save()
        context.reset()
        #expect(try context.all("Hero").count == 1)
    }

    @Test(
        "stores at one name below /dev/null share their memory, others have their own (STO-03)",
        arguments: ["shared", "a b%20c?d#e", "Größe/inner"])
    func namedMemoryIsShared(_ name: String) throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: "/dev").sorted()
        let name = name + UUID().uuidString
        let (first, second) = try (Self.coordinator(name), Self.coordinator(name))
        #expect(first.persistentStores[0].identifier == second.persistentStores[0].identifier)
        #expect(first.persistentStores[0].capabilities == [.shared, .derivedAttributes, .uniqueValues])
        let (one, other) = (Self.context(first), Self.context(second))
        one.insert("Hero", ["name": "Ann", "strength": 3])
        try one.save()
        let found = try #require(try other.all("Hero").first)
        #expect(found.value(forKey: "name") as? String == "Ann")
        // Each finds out what the other saved, as with a file.
        let hero = try #require(try one.all("Hero").first)
        hero.setValue("Bea", forKey: "name")
        try one.save()
        found.setValue("Cid", forKey: "name")
        let error = #expect(throws: NSError.self) { try other.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        #expect(try Self.context(Self.coordinator("other" + name)).all("Hero").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/dev").sorted() == before)
    }

    @Test("memory with a name goes with the last of its stores, and is kept to its model (STO-03)")
    func namedMemoryGoesWithItsStores() throws {
        let name = UUID().uuidString
        var first: NSPersistentStoreCoordinator? = try Self.coordinator(name)
        let context = try Self.context(#require(first))
        context.insert("Hero", ["name": "Ann"])
        try context.save()
        let other = NSPersistentStoreCoordinator(managedObjectModel: ModelBuilder().model)
        let url = URL(fileURLWithPath: "/dev/null/" + name)
        let error = #expect(throws: NSError.self) { try other.addPersistentStore(type: .sqlite, at: url) }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        for store in first?.persistentStores ?? [] { try first?.remove(store) }
        first = nil
        #expect(try Self.context(Self.coordinator(name)).all("Hero").isEmpty)
    }

    @Test("a store is moved into memory with a name, its large values too (STO-03)")
    func storeIsMovedIntoNamedMemory() throws {
        let name = UUID().uuidString
        let opened = try Opened(SampleStore.make())
        let large = Data(repeating: 3, count: 300_000)
        opened.context.insert("Novel", ["title": "Large", "cover": large])
        try opened.context.save()
        let url = URL(fileURLWithPath: "/dev/null/" + name)
        try opened.coordinator.migratePersistentStore(opened.store, to: url, type: .sqlite)
        let second = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        try second.addPersistentStore(type: .sqlite, at: url)
        let found = try Self.context(second).all("Novel", NSPredicate(format: "title == 'Large'"))
        #expect(found.first?.value(forKey: "cover") as? Data == large)
    }

    @Test("A URL outside of /dev/null is a file")
    func otherURLsAreFiles() {
        #expect(MemoryPlace(URL(fileURLWithPath: "/dev/null/")) == .own)
        #expect(MemoryPlace(URL(fileURLWithPath: "/dev/null/a")) == .shared(name: "a"))
        for path in ["/dev/nulla", "/dev/null/../shm/a", "/tmp/dev/null/a"] {
            #expect(MemoryPlace(URL(fileURLWithPath: path)) == nil)
        }
        #expect(URL(string: "https://host/dev/null").flatMap(MemoryPlace.init) == nil)
    }
}
