import CoreData
import CoreDataGraph
import CoreDataPostgres
import CoreDataStore
import Foundation
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing
import WriteScenarios

/// Stores on a server that are migrated by mapping models.
@Suite(
    .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .serialized, .timeLimit(.minutes(10)))
final class MappedServerMigrationTests {
    private let folder: URL
    let options: [AnyHashable: Any]
    private struct Refused: Error {}

    init() throws {
        folder = try Fixtures.temporaryFolder()
        options = try VersionedThings.options(in: folder)
    }

    deinit {
        NotingPolicy.whenMidway = nil
        try? FileManager.default.removeItem(at: folder)
    }

    func scene(
        _ options: [AnyHashable: Any] = [:], metadata: [String: Any] = [:]
    ) throws -> ServerScene {
        let scene = try ServerScene(VersionedThings.old(), options: options) { context in
            VersionedThings.fill(context)
            guard let coordinator = context.persistentStoreCoordinator else { return }
            for store in coordinator.persistentStores {
                coordinator.setMetadata(coordinator.metadata(for: store).merging(metadata) { $1 }, for: store)
            }
        }
        scene.options = self.options.merging(options) { $1 }
        return scene
    }

    static func temporaries(_ scene: ServerScene) throws -> Int {
        try scene.ask(
            "SELECT nspname::text FROM pg_namespace n WHERE obj_description(n.oid, 'pg_namespace') LIKE '%''\(scene.schema)''%'"
        ).count
    }

    static func expectUntouched(_ scene: ServerScene, _ epoch: String) throws {
        #expect(try scene.epoch == epoch)
        #expect(try temporaries(scene) == 0)
        let titles = try scene.with(VersionedThings.old(), options: [:]) {
            try $0.all("Thing").compactMap { ($0.value(forKey: "title") as? String)?.count }
        }
        #expect(titles.sorted() == Array(0..<VersionedThings.count))
    }

    static func expectMigrated(_ scene: ServerScene) throws {
        let faults = try scene.with(VersionedThings.mapped()) { try VersionedThings.faults($0, isMapped: true) }
        #expect(faults == [])
    }

    @Test("a mapping model with a policy migrates a store on a server, and what is there is a whole store (MIG-11)")
    func mappingModelWithPolicyMigratesStoreOnServer() throws {
        let scene = try scene(metadata: ["ours": "kept"])
        let epoch = try scene.epoch
        let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: scene.url)
        try scene.with(VersionedThings.mapped()) { context in
            #expect(try VersionedThings.faults(context, isMapped: true) == [])
            // Keys of new objects are none of those that there are.
            let owner = context.insert("Owner", ["name": "Bob"])
            for number in 0..<100 { context.insert("Thing", ["title": number, "owner": owner]) }
            try context.save()
            #expect(try context.all("Thing").count == VersionedThings.count + 100)
        }
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: scene.url)
        #expect(after["ours"] as? String == "kept")
        #expect(after[NSStoreUUIDKey] as? String != before[NSStoreUUIDKey] as? String)
        #expect(try scene.epoch != epoch)
        #expect(try Self.temporaries(scene) == 0)
        let whole = try ServerScene(VersionedThings.mapped()).shape()
        #expect(try scene.shape() == whole)
        // It is of the version now, so nothing is done, and it carries its model.
        let now = try scene.epoch
        try scene.with(VersionedThings.mapped()) { _ in }
        #expect(try scene.epoch == now)
    }

    @Test(
        "entries beside the rows, such as the state of sync, are taken along with where the rows went (MIG-11, SYNC-02)"
    )
    func sideEntriesAreTakenAlong() throws {
        let scene = try scene()
        let entry = SideEntry(key: Array("Xkept".utf8), value: [1, 2, 3])
        let former = try scene.with(VersionedThings.old(), options: [:]) { context in
            let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
            try store.changingBelowContexts { source, _ in try source.sideTable?.writeSideEntries([entry]) }
            return try context.all("Thing").count
        }
        try scene.with(VersionedThings.mapped()) { context in
            let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
            try store.changingBelowContexts { source, _ in
                let side = try #require(source.sideTable)
                #expect(try side.sideValue(for: entry.key) == entry.value)
                let moves = try side.sideEntries(withPrefix: RowMoves.prefix)
                let things = moves.filter { RowMoves.source($0.key)?.root == "Thing" }
                #expect(things.count == former)
                let keys = Set(things.flatMap { RowMoves.destinations($0.value ?? []).map(\.key) })
                #expect(try keys == Set(context.all("Thing").compactMap { $0.recordNumber?.key }))
            }
        }
    }

    @Test(
        "a mapping model begins a new history: former tokens have expired, and new changes are reported (MIG-11)")
    func mappingModelBeginsNewHistory() throws {
        let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let scene = try scene(tracking)
        let token = try scene.with(VersionedThings.old(), options: tracking) { context in
            try context.transactions().last?.token
        }
        try scene.with(VersionedThings.mapped()) { context in
            // As of a file that was migrated so: the store is another one.
            expectError(134501) {
                _ = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            }
            #expect(try context.transactions().isEmpty)
            context.insert("Place", ["name": "Rome"])
            try context.save()
            #expect(try context.transactions().count == 1)
        }
    }

    @Test("roles keep what they may do with a store that a mapping model migrates (HAZ-61)")
    func rolesKeepWhatTheyMayDoWithStoreThatMappingModelMigrates() throws {
        let scene = try scene()
        let role = "\(scene.schema)_reader"
        for statement in [
            "CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA \(scene.schema) TO \(role)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \(scene.schema) TO \(role)",
        ] { try scene.ask(statement) }
        try scene.with(VersionedThings.mapped()) { _ in }
        let reading = try #require(
            URL(string: scene.url.absoluteString.replacing("//coredata@", with: "//\(role)@")))
        let stack = try Stack(
            VersionedThings.mapped(), url: reading, kind: .postgreSQL, options: [NSReadOnlyPersistentStoreOption: true])
        #expect(try VersionedThings.faults(stack.context, isMapped: true) == [])
        #expect(try stack.context.all("Place").isEmpty)
    }

    /// A context that the thread of a program uses, on its queue.
    private struct Program: @unchecked Sendable { let context: NSManagedObjectContext }

    @Test("what a program of before saves is in the migrated store or is refused, and it reads no other rows (HAZ-61)")
    func oldPrograms() throws {
        let scene = try scene()
        let stack = try scene.open(VersionedThings.old(), options: [:])
        let program = Program(context: stack.newContext())
        let saved = Mutex(0)
        let wrong = Mutex<[String]>([])
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let context = program.context
            var isRefused = false
            while !isRefused {
                do {
                    try context.performAndWait {
                        context.insert("Thing", ["title": "late"])
                        try context.save()
                        saved.withLock { $0 += 1 }
                        context.reset()
                        let titles = try context.all("Thing").map { $0.value(forKey: "title") }
                        if !titles.allSatisfy({ $0 is String }) { wrong.withLock { $0.append("\(titles)") } }
                    }
                } catch {
                    isRefused = true
                    let code = (error as NSError).code
                    if code != NSPersistentStoreIncompatibleVersionHashError {
                        wrong.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        eventually("saves of the former version") { saved.withLock { $0 } > 3 }
        try scene.with(VersionedThings.mapped()) { context in
            group.wait()
            #expect(wrong.withLock { $0.prefix(3) } == [])
            let count = try context.all("Thing").count
            #expect(count == VersionedThings.count + saved.withLock { $0 })
        }
        expectError(134100) { _ = try stack.newContext().all("Thing") }
    }

    @Test("a policy that fails leaves the store as it was, and nothing beside it (MIG-17)")
    func failingPolicy() throws {
        let scene = try scene()
        let epoch = try scene.epoch
        NotingPolicy.whenMidway = { throw Refused() }
        let error = expectError(134170) { try scene.with(VersionedThings.mapped()) { _ in } }
        #expect(error?.localizedDescription.contains("NotingPolicy") == true)
        try Self.expectUntouched(scene, epoch)
        NotingPolicy.whenMidway = nil
        try Self.expectMigrated(scene)
    }

    @Test(
        "what others have made of the tables is not taken from them: the server's refusal ends the migration (MIG-17)")
    func viewOfOthers() throws {
        let scene = try scene()
        let epoch = try scene.epoch
        try scene.ask("CREATE VIEW titles AS SELECT ztitle FROM zthing")
        let error = expectError(134110) { try scene.with(VersionedThings.mapped()) { _ in } }
        #expect(error?.localizedDescription.contains("depend") == true, "\(error as Any)")
        try Self.expectUntouched(scene, epoch)
        try scene.ask("DROP VIEW titles")
        try Self.expectMigrated(scene)
    }

    @Test("a connection that is lost when the tables are exchanged leaves the store as it was (MIG-17)")
    func lostAtExchange() throws {
        let scene = try scene()
        let epoch = try scene.epoch
        try scene.ask(
            "CREATE FUNCTION \(scene.schema).lose() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN "
                + "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $f$")
        try scene.ask(
            "CREATE TRIGGER lose AFTER UPDATE ON z_metadata FOR EACH STATEMENT EXECUTE FUNCTION \(scene.schema).lose()")
        expectError(134110) { try scene.with(VersionedThings.mapped()) { _ in } }
        try Self.expectUntouched(scene, epoch)
        try scene.ask("DROP TRIGGER lose ON z_metadata")
        try Self.expectMigrated(scene)
    }

    @Test("a state that is kept of the former version holds a mapping model up, which says who it is (HAZ-61)")
    func keptState() throws {
        let scene = try scene()
        let epoch = try scene.epoch
        let stack = try scene.open(VersionedThings.old(), options: [:])
        let pinned = stack.newContext()
        try pinned.setQueryGenerationFrom(.current)
        #expect(try pinned.all("Thing").count == VersionedThings.count)
        var options = scene.options
        options[NSPersistentStoreTimeoutOption] = 1
        let error = expectError(134110) { try scene.with(VersionedThings.mapped(), options: options) { _ in } }
        #expect(error?.localizedDescription.contains("OpenCoreData") == true)
        try pinned.setQueryGenerationFrom(nil)
        try Self.expectUntouched(scene, epoch)
    }

    @Test(
        "a manager makes a store on a server of one in a file, beside none that is there, wholly or not at all (MIG-11)"
    )
    func managerToServer() throws {
        let file = folder.appendingPathComponent("Old.sqlite")
        let stack = try Stack(VersionedThings.old(), url: file)
        VersionedThings.fill(stack.context)
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let place = try PostgresServer.shared.get().makeURL("mapped")
        func migrate() throws {
            try NSMigrationManager(sourceModel: VersionedThings.old(), destinationModel: VersionedThings.mapped())
                .migrateStore(
                    from: file, type: .sqlite, mapping: VersionedThings.mapping(), to: place, type: .postgreSQL)
        }
        NotingPolicy.whenMidway = { throw Refused() }
        expectError(134170) { try migrate() }
        expectError(134080) {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: place)
        }
        NotingPolicy.whenMidway = nil
        try migrate()
        let made = try Stack(VersionedThings.mapped(), url: place, kind: .postgreSQL)
        #expect(try VersionedThings.faults(made.context, isMapped: true) == [])
        expectError(NSMigrationManagerDestinationStoreError) { try migrate() }
        #expect(try VersionedThings.faults(made.newContext(), isMapped: true) == [])
    }
}
