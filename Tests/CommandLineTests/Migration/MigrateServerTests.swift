import CoreData
import StoreContract
import Synchronization
import TestServers
import Testing

/// `coredata migrate` on stores of a server.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server")) struct MigrateServerTests {
    /// A store of the first version on the server; the file that it was copied from stays.
    private struct Scene {
        let almanac: Almanac
        let place: String

        init(heroes: Int = 3) throws {
            almanac = try Almanac(heroes: heroes)
            place = try PostgresServer.shared.get().makeURL("almanac").absoluteString
            let copied = try Tool.run("copy", almanac.store.path, place)
            #expect(copied.code == 0, "\(copied.errors)")
        }

        func migrate(_ arguments: String...) throws -> Tool.Outcome {
            try Tool.run(["migrate", place, "--to", almanac.package] + arguments)
        }

        /// Whether the store is as it was copied.
        func isUntouched() throws -> Bool { try Tool.run("compare", almanac.store.path, place).code == 0 }

        /// Opens the store with a version.
        func with<Result>(_ version: String, _ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
            let file = URL(fileURLWithPath: almanac.package).appendingPathComponent("\(version).xcdatamodel")
            let model = try #require(NSManagedObjectModel(contentsOf: file))
            let stack = try Stack(model, url: try #require(URL(string: place)), kind: .postgreSQL)
            defer { try? stack.coordinator.remove(stack.store) }
            return try body(stack.context)
        }
    }

    @Test("a plan on a server lists each step with its locks, rows and time, and changes nothing (MIG-22)")
    func planOnServerListsEachStepWithItsLocks() throws {
        let scene = try Scene(heroes: 50)
        defer { scene.almanac.remove() }
        let schema = try #require(URLComponents(string: scene.place)?.queryItems?.last?.value)
        try PostgresServer.shared.get().execute("ANALYZE \(schema).zhero")
        let outcome = try scene.migrate("--plan")
        #expect(outcome.code == 0, "\(outcome.errors)")
        for text in [
            "path    One -> Two  lightweight", "z_metadata: ACCESS EXCLUSIVE", "zhero: ACCESS EXCLUSIVE",
            "time    about",
            "room    about", "backup  none", "134100",
        ] { #expect(outcome.output.contains(text), "\(text) in \(outcome.output)") }
        let report: [String: Any] = try scene.migrate("--plan", "--format", "json").json()
        #expect(report["result"] as? String == "possible")
        let steps = try #require(report["steps"] as? [[String: Any]])
        let added = try #require(steps.first { $0["kind"] as? String == "add column" })
        let lock = (added["locks"] as? [[String: Any]])?.first
        #expect(lock?["table"] as? String == "zhero" && lock?["mode"] as? String == "ACCESS EXCLUSIVE")
        #expect(lock?["rewrites"] as? Bool == false)
        let lossy: [String: Any] = try scene.migrate("--version", "Small", "--plan", "--format", "json").json()
        #expect(lossy["result"] as? String == "losesData")
        let losses = try #require(lossy["losses"] as? [[String: Any]])
        #expect(losses.contains { $0["entity"] as? String == "Hero" && $0["count"] as? Int == 2 }, "\(losses)")
        let statements = try scene.migrate("--sql")
        #expect(statements.code == 0 && statements.output.contains("-- zhero: ACCESS EXCLUSIVE\nALTER TABLE ZHERO"))
        #expect(try scene.isUntouched())
    }

    @Test("a store on a server is migrated where it is, once; then it is of the version already (MIG-22)")
    func storeOnServerIsMigrated() throws {
        let scene = try Scene()
        defer { scene.almanac.remove() }
        let outcome = try scene.migrate()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("migrated\n") && outcome.output.contains("backup  none"), "\(outcome.output)")
        try scene.with("Two") { context in
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.map { $0.value(forKey: "color") as? String } == Array(repeating: "blue", count: 4))
            #expect(heroes.map { ($0.value(forKey: "powers") as? NSSet)?.count } == [0, 1, 1, 1])
            #expect((heroes[0].value(forKey: "picture") as? Data)?.count == 300_000)
        }
        let again = try scene.migrate()
        #expect(again.code == 0 && again.output.hasSuffix("is of the version 'Two' already\n"), "\(again.output)")
        let report: [String: Any] = try scene.migrate("--format", "json").json()
        #expect(report["result"] as? String == "upToDate")
        #expect(try scene.migrate("--plan").output.contains("of this version already"))
    }

    @Test("what is refused of files is refused on a server, with the same codes, and the store is untouched (MIG-10)")
    func whatIsRefusedOfFilesIsRefusedOnServer() throws {
        let scene = try Scene()
        defer { scene.almanac.remove() }
        expectRefusal(try scene.migrate("--version", "Retyped"), containing: "[134140]", "attribute Event.title")
        expectRefusal(try scene.migrate("--version", "Unique"), containing: "[134111]", "Event by title")
        let losing = try scene.migrate("--version", "Small")
        #expect(losing.code == 3 && losing.errors.contains("entity Power, 3 objects"), "\(losing.errors)")
        let rehearsed = try scene.migrate("--dry-run")
        expectRefusal(rehearsed, containing: "--dry-run", "on a server", "coredata copy")
        #expect(try scene.isUntouched())
        let secret = scene.place + "&password=hushhush"
        let refused = try Tool.run("migrate", secret, "--to", scene.almanac.package, "--version", "Retyped")
        #expect(refused.code == 1 && !(refused.output + refused.errors).contains("hushhush"), "\(refused.errors)")
        #expect(try scene.migrate("--version", "Small", "--allow-loss").code == 0)
    }

    @Test(
        "a store on a server is migrated by a mapping model that is given; the plan says that it is locked whole (MIG-11)"
    )
    func storeOnServerIsMigratedByMappingModelThatIsGiven() throws {
        let scene = try Scene()
        defer { scene.almanac.remove() }
        let file = try MigrateMappingTests.file(MigrateMappingTests.mapping(), in: scene.almanac)
        let planned = try scene.migrate("--version", "Retyped", "--mapping", file, "--plan")
        #expect(planned.code == 0, "\(planned.errors)")
        for text in [
            "One -> Retyped  mapping", "lock store", "as much again", "z_metadata: ACCESS EXCLUSIVE, all rows written",
            "Hero to Hero", "time    about",
        ] {
            #expect(planned.output.contains(text), "\(text) in \(planned.output)")
        }
        #expect(try scene.isUntouched())
        let outcome = try scene.migrate("--version", "Retyped", "--mapping", file)
        #expect(outcome.code == 0 && outcome.output.hasSuffix("migrated\n"), "\(outcome.output)\(outcome.errors)")
        try scene.with("Retyped") { context in
            #expect(try context.all("Event").map { $0.value(forKey: "title") as? Int } == [5, 5])
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.map { ($0.value(forKey: "powers") as? NSSet)?.count } == [0, 1, 1, 1])
            #expect((heroes[0].value(forKey: "picture") as? Data)?.count == 300_000)
        }
        let again = try scene.migrate("--version", "Retyped", "--mapping", file)
        #expect(again.code == 0 && again.output.contains("already"), "\(again.output)")
    }

    @Test("the statements of later stages are listed for a store on a server as it will be then (MIG-15)")
    func statementsOfLaterStagesAreListedForServer() throws {
        let scene = try Scene()
        defer { scene.almanac.remove() }
        let file = try MigrateMappingTests.file(MigrateMappingTests.hashedMapping(scene.almanac), in: scene.almanac)
        let planned = try scene.migrate("--version", "RetypedTwo", "--mapping", file, "--sql")
        #expect(planned.code == 0, "\(planned.errors)")
        #expect(planned.output.contains("-- One -> Retyped: made object by object"), "\(planned.output)")
        #expect(
            planned.output.contains("-- zhero: ACCESS EXCLUSIVE\nALTER TABLE ZHERO ADD COLUMN ZCOLOR"),
            "\(planned.output)")
        let outcome = try scene.migrate("--version", "RetypedTwo", "--mapping", file)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let titles = try scene.with("RetypedTwo") { try $0.all("Event").map { $0.value(forKey: "title") as? Int } }
        #expect(titles == [5, 5])
    }

    @Test("of several tools that migrate a store of a server at once one does, and the others find it done (HAZ-61)")
    func ofSeveralToolsThatMigrateStoreOfServerAtOnce() throws {
        let scene = try Scene(heroes: 200)
        defer { scene.almanac.remove() }
        let outcomes = Mutex<[Tool.Outcome]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            guard let outcome = try? scene.migrate() else { return }
            outcomes.withLock { $0.append(outcome) }
        }
        let all = outcomes.withLock { $0 }
        #expect(all.map(\.code) == [0, 0, 0, 0], "\(all.map(\.errors))")
        #expect(all.count { $0.output.hasSuffix("\nmigrated\n") } == 1, "\(all.map(\.output))")
        #expect(all.count { $0.output.hasSuffix("is of the version 'Two' already\n") } == 3)
    }
}
