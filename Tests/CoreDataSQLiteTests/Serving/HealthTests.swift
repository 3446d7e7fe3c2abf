import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// What a container says of its stores to whoever asks whether requests may come.
@Suite(.timeLimit(.minutes(2))) struct HealthTests {
    /// A container with one store in a folder of its own.
    private struct Shop {
        let folder: TemporaryFolder
        let url: URL
        let container: NSPersistentContainer

        init(type: String = NSSQLiteStoreType, loads: Bool = true) throws {
            folder = try TemporaryFolder()
            url = folder.url.appendingPathComponent("Shop.sqlite")
            container = NSPersistentContainer(name: "Shop", managedObjectModel: HeroModel.make())
            let description = NSPersistentStoreDescription(url: url)
            description.type = type
            container.persistentStoreDescriptions = [description]
            if loads { try load() }
        }

        func load() throws {
            var failure: (any Error)?
            container.loadPersistentStores { _, error in failure = error }
            if let failure { throw failure }
        }

        /// Saves objects, which makes a log beside the file.
        func add(_ count: Int) throws {
            let context = container.newBackgroundContext()
            try context.performAndWait {
                for number in 0..<count { _ = context.insert("Hero", ["name": "\(number)"]) }
                try context.save()
            }
        }

        /// Why the store does not answer.
        func refusal() async -> NSError? {
            let health = await container.health()
            #expect(!health.isReady)
            return health.stores.first?.error as NSError?
        }
    }

    @Test(
        "stores that can be used answer, with their place, identity and time",
        arguments: [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType])
    func goodStoreAnswers(type: String) async throws {
        let shop = try Shop(type: type)
        try shop.add(3)
        let health = await shop.container.health()
        #expect(health.isReady && health.stores.count == 1)
        let store = try #require(health.stores.first)
        #expect(store.isAnswering && store.error == nil && store.url == shop.url && store.type == type)
        #expect(store.identifier == shop.container.persistentStoreCoordinator.persistentStores.first?.identifier)
        #expect(store.duration > .zero && store.duration < .seconds(2))
        #expect(health.description.hasPrefix("\(shop.url.path): answers ("))
    }

    @Test("stores in memory answer", arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func memoryAnswers(type: String) async throws {
        let container = NSPersistentContainer(name: "Memory", managedObjectModel: HeroModel.make())
        let description = NSPersistentStoreDescription()
        description.type = type
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        #expect(await container.health().isReady)
    }

    @Test("a file that was removed, though what is open of it still reads")
    func removedFileIsFound() async throws {
        let shop = try Shop()
        try shop.add(3)
        try FileManager.default.removeItem(at: shop.url)
        let error = try #require(await shop.refusal())
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreOperationError)
        #expect(error.localizedDescription.contains("deleted or renamed"))
        #expect(!FileManager.default.fileExists(atPath: shop.url.path))
    }

    @Test("a file in whose place another was put, even a copy")
    func replacedFileIsFound() async throws {
        let shop = try Shop()
        try shop.add(3)
        let copy = shop.folder.url.appendingPathComponent("Copy.sqlite")
        try FileManager.default.copyItem(at: shop.url, to: copy)
        #expect(rename(copy.path, shop.url.path) == 0)
        #expect(try #require(await shop.refusal()).localizedDescription.contains("replaced by another"))
    }

    @Test(
        "a file that was cut off, wholly or in part, with and without a log beside it",
        arguments: [0, 50, 4096, 20_480])
    func cutFileIsFound(size: Int) async throws {
        for hasLog in [true, false] {
            let shop = try Shop()
            try shop.add(500)
            let connection = try Connection.open(shop.url.path)
            try connection.checkpoint(.truncate)
            connection.close()
            if hasLog { try shop.add(1) }
            #expect(await shop.container.health().isReady)
            #expect(truncate(shop.url.path, off_t(size)) == 0)
            let error = try #require(await shop.refusal())
            #expect(error.userInfo[NSFilePathErrorKey] as? String == shop.url.path, "\(error)")
        }
    }

    @Test("a store that grows and shrinks by right answers all the while")
    func vacuumedFileAnswers() async throws {
        let shop = try Shop()
        for _ in 0..<5 {
            try shop.add(400)
            #expect(await shop.container.health().isReady)
        }
        let connection = try Connection.open(shop.url.path)
        try connection.execute("DELETE FROM ZHERO")
        try connection.execute("VACUUM")
        try connection.checkpoint(.truncate)
        connection.close()
        #expect(await shop.container.health().isReady)
        try shop.add(400)
        #expect(await shop.container.health().isReady)
    }

    @Test("a store that is being written or is locked still answers health")
    func busyStoreAnswers() async throws {
        let shop = try Shop()
        let connection = try Connection.open(shop.url.path)
        defer { connection.close() }
        try connection.begin(.immediate)
        let (held, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let store = try #require(shop.container.persistentStoreCoordinator.persistentStores.first)
        Thread.detachNewThread {
            store.serialized {
                held.signal()
                done.wait(for: "the answer")
            }
        }
        await eventually("the store is held") { held.wait(timeout: .now()) == .success }
        #expect(await shop.container.health().isReady)
        done.signal()
        try connection.rollBack()
    }

    @Test("a file that another program has locked does not answer, within the time")
    func lockedFileIsReportedInTime() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Shop.sqlite")
        let stack = try Stack(
            HeroModel.make(), url: url, options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        try connection.begin(.exclusive)
        let start = ContinuousClock.now
        let health = await stack.coordinator.health(within: .milliseconds(200))
        #expect(.now - start < .seconds(2))
        #expect((health.stores.first?.error as NSError?)?.code == NSPersistentStoreTimeoutError)
        try connection.rollBack()
        #expect(await stack.coordinator.health().isReady)
    }

    @Test("before stores are loaded, and where loading has failed, the container is not ready and says why")
    func missingStoresAreReported() async throws {
        let shop = try Shop(loads: false)
        let early = await shop.container.health()
        #expect(!early.isReady && early.stores.map(\.url) == [shop.url] && early.stores.first?.identifier == nil)
        #expect(try #require(await shop.refusal()).localizedDescription == "The store is not loaded.")
        let broken = NSPersistentStoreDescription(url: shop.folder.url.appendingPathComponent("Broken.sqlite"))
        try Data("no database, but long enough to be looked at".utf8).write(to: try #require(broken.url))
        shop.container.persistentStoreDescriptions.append(broken)
        shop.container.loadPersistentStores { _, _ in }
        let health = await shop.container.health()
        #expect(!health.isReady && health.stores.map(\.isAnswering) == [true, false])
        #expect(health.stores.last?.url == broken.url)
        #expect((health.stores.last?.error as NSError?)?.code == NSFileReadCorruptFileError)
    }
}
