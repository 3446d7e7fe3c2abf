import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

/// The end of a server: what is saved by then, and what is refused.
@Suite(.timeLimit(.minutes(2))) struct ShutdownTests {
    private static func container(
        _ folder: TemporaryFolder, _ type: String = NSSQLiteStoreType
    ) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Shop", managedObjectModel: HeroModel.make())
        let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Shop.sqlite"))
        description.type = type
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private static func names(_ folder: TemporaryFolder, _ type: String = NSSQLiteStoreType) throws -> Set<String> {
        let context = try container(folder, type).newBackgroundContext()
        return try context.performAndWait {
            Set(try context.all("Hero").compactMap { $0.value(forKey: "name") as? String })
        }
    }

    /// What went wrong in blocks that nobody waits for.
    private final class Failures: Sendable {
        private let errors = Mutex<[any Error]>([])
        var all: [any Error] { errors.withLock(\.self) }

        /// Puts a block on a context's queue.
        func enqueue(on context: NSManagedObjectContext, _ block: @escaping () throws -> Void) {
            context.perform {
                do { try block() } catch { self.errors.withLock { $0.append(error) } }
            }
        }
    }

    /// Whether an error is the one of what was shut down.
    private static func isRefusal(_ error: (any Error)?) -> Bool {
        let error = error as NSError?
        return error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreOperationError
            && error?.localizedDescription.contains("has been shut down") == true
    }

    @Test(
        "saves that are queued are all in the store after it was opened again",
        arguments: [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType])
    func queuedSavesAreKept(type: String) async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(folder, type)
        let failures = Failures()
        for number in 0..<5 {
            let context = container.newBackgroundContext()
            for part in 0..<20 {
                failures.enqueue(on: context) {
                    usleep(500)
                    _ = context.insert("Hero", ["name": "\(number)-\(part)"])
                    try context.save()
                }
            }
        }
        for number in 0..<20 {
            let context = container.newBackgroundContext()
            failures.enqueue(on: context) {
                _ = context.insert("Hero", ["name": "task \(number)"])
                try context.save()
            }
        }
        try await container.shutDown(within: .seconds(60))
        #expect(failures.all.isEmpty)
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
        let wanted = (0..<5).flatMap { number in (0..<20).map { "\(number)-\($0)" } } + (0..<20).map { "task \($0)" }
        #expect(try Self.names(folder, type) == Set(wanted))
    }

    @Test("what a queued block saves through a child, a parent and another context is kept")
    func nestedSavesAreKept() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        let parent = container.newBackgroundContext()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        let failures = Failures()
        failures.enqueue(on: child) {
            usleep(50_000)
            _ = child.insert("Hero", ["name": "child"])
            try child.save()
            let other = container.newBackgroundContext()
            try other.performAndWait {
                _ = other.insert("Hero", ["name": "other"])
                try other.save()
            }
            failures.enqueue(on: parent) { try parent.save() }
        }
        try await container.shutDown(within: .seconds(60))
        #expect(failures.all.isEmpty)
        #expect(try Self.names(folder) == ["child", "other"])
    }

    @Test("the file has all that was saved afterwards, and its log is gone")
    func logIsWrittenBack() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        try await container.performBackgroundTask { context in
            _ = context.insert("Hero", ["name": "Ann"])
            try context.save()
        }
        let log = folder.url.appendingPathComponent("Shop.sqlite-wal")
        #expect(FileManager.default.fileExists(atPath: log.path))
        try await container.shutDown()
        #expect(!FileManager.default.fileExists(atPath: log.path))
        #expect(try Self.names(folder) == ["Ann"])
    }

    @Test("the file has all that was saved beside a pinned query generation, and with it the log")
    func logIsWrittenBackBesideReaders() async throws {
        let (folder, copy) = (try TemporaryFolder(), try TemporaryFolder())
        let container = try Self.container(folder)
        try await container.performBackgroundTask { context in
            _ = context.insert("Hero", ["name": "Ann"])
            try context.save()
        }
        let pinned = container.newBackgroundContext()
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            #expect(try pinned.all("Hero").count == 1)
        }
        try await container.shutDown()
        let file = "Shop.sqlite"
        try FileManager.default.copyItem(
            at: folder.url.appendingPathComponent(file), to: copy.url.appendingPathComponent(file))
        #expect(try Self.names(copy) == ["Ann"])
        withExtendedLifetime(pinned) {}
    }

    @Test("afterwards saves, fetches, batches and new stores are refused with an error that says so")
    func laterWorkIsRefused() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        let context = container.newBackgroundContext()
        try await container.shutDown()
        #expect(container.persistentStoreCoordinator.isShutDown)
        await context.perform {
            _ = context.insert("Hero", ["name": "late"])
            #expect(Self.isRefusal(#expect(throws: (any Error).self) { try context.save() }))
            #expect(context.hasChanges)
            #expect(Self.isRefusal(#expect(throws: (any Error).self) { try context.all("Hero") }))
            let batch = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Hero"))
            #expect(Self.isRefusal(#expect(throws: (any Error).self) { try context.execute(batch) }))
        }
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        await child.perform {
            _ = child.insert("Hero", ["name": "late child"])
            #expect(Self.isRefusal(#expect(throws: (any Error).self) { try child.save() }))
        }
        container.loadPersistentStores { _, error in #expect(Self.isRefusal(error)) }
        #expect(try Self.names(folder).isEmpty)
        let health = await container.health()
        #expect(!health.isReady && health.stores.map { Self.isRefusal($0.error) } == [true])
    }

    @Test("a second shutdown does nothing, and one at the same time waits for the first")
    func shutdownIsRepeatable() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        let context = container.newBackgroundContext()
        let failures = Failures()
        failures.enqueue(on: context) {
            usleep(100_000)
            _ = context.insert("Hero", ["name": "slow"])
            try context.save()
        }
        async let one: Void = container.shutDown(within: .seconds(60))
        async let other: Void = container.shutDown(within: .seconds(60))
        _ = try await (one, other)
        #expect(container.persistentStoreCoordinator.isShutDown)
        try await container.shutDown()
        #expect(failures.all.isEmpty)
        #expect(try Self.names(folder) == ["slow"])
    }

    @Test("a block that does not end is named when the time is over; the stores are closed and its save is refused")
    func unfinishedBlockIsReported() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        let context = container.newBackgroundContext()
        context.name = "importer"
        let (go, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let failures = Failures()
        failures.enqueue(on: context) {
            defer { gone.signal() }
            _ = context.insert("Hero", ["name": "never"])
            go.wait(for: "the end of the time")
            try context.save()
        }
        let error = await #expect(throws: NSError.self) { try await container.shutDown(within: .milliseconds(100)) }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(error?.localizedDescription.contains("'importer'") == true)
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
        go.signal()
        await eventually("the refused save") { gone.wait(timeout: .now()) == .success }
        await eventually("the refusal") { failures.all.count == 1 }
        #expect(Self.isRefusal(failures.all.first))
        #expect(try Self.names(folder).isEmpty)
    }
}
