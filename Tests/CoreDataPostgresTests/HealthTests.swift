import CoreData
import CoreDataPostgres
import Foundation
import StoreContract
import TestBasics
import TestServers
import Testing

/// What a store on a server says to whoever asks whether it can be used.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct HealthTests {
    private static func error(_ heroes: Heroes, within limit: Duration = .seconds(5)) async -> NSError? {
        let health = await heroes.stack.coordinator.health(within: limit)
        #expect(!health.isReady && health.stores.count == 1)
        return health.stores.first?.error as NSError?
    }

    @Test("a server that answers is ready")
    func goodServerAnswers() async throws {
        let heroes = try Heroes(2)
        let health = await heroes.stack.coordinator.health()
        #expect(health.isReady && health.stores.first?.type == CoreDataPostgreSQLStoreType)
        #expect(try #require(health.stores.first).duration < .seconds(2))
        #expect(health.stores.first?.url == heroes.stack.store.url)
    }

    @Test("a server that was stopped is found at once with the reason, and answers again when it is there")
    func stoppedServerIsFound() async throws {
        let server = try PostgresServer()
        let heroes = try Heroes(2, on: server)
        #expect(await heroes.stack.coordinator.health().isReady)
        server.stop()
        let start = ContinuousClock.now
        let error = try #require(await Self.error(heroes))
        #expect(.now - start < .seconds(4))
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreOperationError)
        #expect(error.localizedRecoverySuggestion?.contains("server") == true)
        try server.start()
        #expect(await heroes.stack.coordinator.health(within: .seconds(10)).isReady)
        #expect(try Heroes.names(heroes.newContext()) == ["0", "1"])
    }

    @Test("a server that takes what it is asked and answers nothing is reported when the time is over")
    func silentServerIsReportedInTime() async throws {
        let proxy = try FaultProxy(to: try PostgresServer.shared.get())
        defer { proxy.stop() }
        let schema = "silent_\(UUID().uuidString.prefix(8).lowercased())"
        let heroes = try Heroes(1, url: proxy.url(schema: schema))
        #expect(await heroes.stack.coordinator.health().isReady)
        proxy.armAll(.stallBeforeAnswer)
        let start = ContinuousClock.now
        let error = try #require(await Self.error(heroes, within: .milliseconds(300)))
        #expect(.now - start < .seconds(3))
        #expect(error.code == NSPersistentStoreTimeoutError)
        #expect(error.localizedDescription == "The store did not answer within 0.3 s.")
        proxy.disarm()
        proxy.endConnections()
    }

    @Test("an unreachable host keeps a container from being ready, and health answers in time")
    func unreachableHostIsReported() async throws {
        // A network for documentation, which leads nowhere (RFC 5737).
        let url = try #require(URL(string: "postgresql://user:secret@192.0.2.1/shop?schema=heroes"))
        let container = NSPersistentContainer(name: "Shop", managedObjectModel: HeroModel.make())
        let description = NSPersistentStoreDescription(url: url)
        description.shouldAddStoreAsynchronously = true
        description.setOption(NSNumber(value: 2), forKey: NSPersistentStoreTimeoutOption)
        container.persistentStoreDescriptions = [description]
        let loaded = DispatchSemaphore(value: 0)
        container.loadPersistentStores { _, error in
            #expect(error != nil)
            loaded.signal()
        }
        let start = ContinuousClock.now
        let early = await container.health(within: .milliseconds(300))
        #expect(.now - start < .seconds(1))
        #expect(!early.isReady && early.stores.count == 1 && !early.description.contains("secret"))
        await eventually("the end of loading") { loaded.wait(timeout: .now()) == .success }
        let health = await container.health(within: .milliseconds(300))
        #expect(!health.isReady && health.stores.first?.url?.host == "192.0.2.1")
        #expect((health.stores.first?.error as NSError?)?.domain == NSCocoaErrorDomain)
        #expect(!health.description.contains("secret"))
    }

    @Test("readers that are all in use are named")
    func exhaustedReadersAreNamed() async throws {
        let heroes = try Heroes(1, options: [NSPersistentStoreConnectionPoolMaxSizeKey: 1])
        let pinned = heroes.newContext("report")
        try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
        #expect(try Heroes.names(pinned) == ["0"])
        let error = try #require(await Self.error(heroes, within: .seconds(2)))
        #expect(error.code == NSPersistentStoreTimeoutError)
        #expect(error.localizedDescription.contains("of the context 'report'"))
        try pinned.performAndWait { try pinned.setQueryGenerationFrom(nil) }
        pinned.performAndWait { pinned.reset() }
        #expect(await heroes.stack.coordinator.health().isReady)
    }

    @Test("shutting down saves what is queued, ends all connections, and may be repeated")
    func shutdownEndsConnections() async throws {
        let server = try PostgresServer()
        let heroes = try Heroes(1, on: server, options: [CoreDataPostgreSQLMinimumReaderCountOption: 2])
        let context = heroes.newContext()
        Self.enqueue(20, on: context)
        try await heroes.stack.coordinator.shutDown(within: .seconds(60))
        try await heroes.stack.coordinator.shutDown()
        try server.execute(
            "DO $$ BEGIN PERFORM pg_sleep(0.5); IF EXISTS (SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                + "AND backend_type = 'client backend') THEN RAISE EXCEPTION 'connections are left'; END IF; END $$")
        context.performAndWait {
            _ = context.insert("Hero", ["name": "late"])
            #expect(throws: NSError.self) { try context.save() }
        }
        let again = try heroes.stack.another()
        #expect(try Heroes.count(again.newContext()) == 21)
    }

    private static func enqueue(_ count: Int, on context: NSManagedObjectContext) {
        for number in 0..<count {
            context.perform {
                usleep(1000)
                _ = context.insert("Hero", ["name": "queued \(number)"])
                do { try context.save() } catch { Issue.record(error) }
            }
        }
    }
}
