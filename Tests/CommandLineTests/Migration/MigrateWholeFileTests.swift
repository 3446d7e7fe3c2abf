import CoreData
import StoreContract
import TestBasics
import Testing

/// `coredata migrate` of stores that are one file, XML and binary: another file is made of their objects.
struct MigrateWholeFileTests {
    static let kinds = StoreKind.wholeFiles

    private static func almanac(_ kind: StoreKind) throws -> Almanac {
        try Almanac(store: "Almanac.store", kind: kind)
    }

    @Test("an XML or binary store is migrated where it is, and the backup is as it was (MIG-17)", arguments: kinds)
    func migratesInPlaceWithBackup(kind: StoreKind) throws {
        let almanac = try Self.almanac(kind)
        defer { almanac.remove() }
        let before = try Data(contentsOf: almanac.store)
        let outcome = try almanac.migrate()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "")
        let backup = try #require(try almanac.backup())
        #expect(try Data(contentsOf: backup) == before)
        #expect(try almanac.files() == [backup.lastPathComponent, "Almanac.store"])
        let lines = outcome.output.split(separator: "\n").map(String.init)
        for line in [
            "from    One  (by its hashes)", "path    One -> Two  lightweight", "backup  \(backup.path)", "migrated",
            "mind    the store gets another identity (NSStoreUUIDKey), and its objects other identifiers",
        ] { #expect(lines.contains(line), "\(outcome.output)") }
        try almanac.with("Two") { context in
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.map { $0.value(forKey: "name") as? String } == ["Big", "Hero 0", "Hero 1", "Hero 2"])
            #expect(heroes.allSatisfy { $0.value(forKey: "color") as? String == "blue" })
            #expect(heroes[0].value(forKey: "picture") as? Data == Data(repeating: 7, count: 300_000))
            #expect(heroes[1...].allSatisfy { ($0.value(forKey: "powers") as? Set<NSManagedObject>)?.count == 1 })
        }
        let again = try almanac.migrate()
        #expect(again.code == 0 && again.output.contains("is of the version 'Two' already"), "\(again.output)")
    }

    @Test(
        "plan and dry run of an XML or binary store print what would be done, and change nothing (MIG-21, MIG-22)",
        arguments: kinds)
    func planAndDryRun(kind: StoreKind) throws {
        let almanac = try Self.almanac(kind)
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let report: [String: Any] = try almanac.migrate("--plan", "--format", "json").json()
        #expect(report["result"] as? String == "possible")
        #expect(report["keepsIdentity"] as? Bool == false)
        let steps = try #require(report["steps"] as? [[String: Any]])
        #expect(steps.allSatisfy { $0["kind"] as? String == "map objects" })
        #expect(steps.first { $0["subject"] as? String == "Hero to Hero" }?["rows"] as? Int == 4)
        let estimate = try #require(report["estimate"] as? [String: Any])
        #expect(estimate["seconds"] is Double && estimate["backupBytes"] as? Int ?? 0 > 300_000)
        let dry = try almanac.migrate("--dry-run")
        #expect(dry.code == 0, "\(dry.output) \(dry.errors)")
        #expect(dry.output.contains("valid   9 of 9 objects"), "\(dry.output)")
        #expect(!dry.output.contains("others") && !dry.output.contains("DIFFER"), "\(dry.output)")
        let lossy = try almanac.migrate("--version", "Small", "--plan")
        #expect(lossy.code == 3)
        #expect(lossy.output.contains("lost    entity Power: 3 objects"), "\(lossy.output)")
        #expect(try almanac.migrate("--version", "Small").code == 3)
        #expect(try FolderState(around: almanac.store) == before)
        #expect(try almanac.migrate("--version", "Small", "--allow-loss", "--no-backup").code == 0)
        #expect(try almanac.files() == ["Almanac.store"])
        #expect(try almanac.with("Small") { try $0.all("Hero").count } == 4)
    }

    @Test(
        "what an XML or binary store cannot become is refused with its name, planned or done (MIG-10, MIG-22)",
        arguments: kinds)
    func mig10MIG22(kind: StoreKind) throws {
        let almanac = try Self.almanac(kind)
        defer { almanac.remove() }
        try almanac.with("One") { context in
            try context.all("Hero").first?.setValue(70_000, forKey: "age")
            try context.save()
        }
        let before = try FolderState(around: almanac.store)
        for (version, code, text) in [
            ("Short", 134110, "Hero.age"), ("Unique", 134111, "values of title occur more than once"),
            ("Retyped", 134140, "attribute Event.title"),
        ] {
            expectRefusal(
                try almanac.migrate("--version", version), containing: "[\(code)]", almanac.store.path, text)
            let planned = try almanac.migrate("--version", version, "--plan", "--format", "json")
            #expect(planned.code == 1)
            let report: [String: Any] = try planned.json()
            #expect(report["result"] as? String == "refused")
            let refusal = try #require(report["refusal"] as? [String: Any])
            #expect(refusal["code"] as? Int == code)
            #expect((refusal["items"] as? [[String: Any]])?.isEmpty == false, "\(version)")
            let dry = try almanac.migrate("--version", version, "--dry-run")
            #expect(dry.code == 1 && dry.errors.contains(almanac.store.path), "\(dry.errors)")
        }
        let report: [String: Any] = try almanac.migrate("--version", "Unique", "--plan", "--format", "json").json()
        let collisions = try #require(report["collisions"] as? [[String: Any]])
        #expect(collisions.map { $0["properties"] as? [String] } == [["title"]])
        expectRefusal(try almanac.migrate("--sql"), containing: almanac.store.path, kind.type, "--plan")
        #expect(try FolderState(around: almanac.store) == before)
    }

    @Test(
        "an XML or binary store of no version of the model is refused until its model is given (MIG-10)",
        arguments: kinds)
    func unknownSourceNeedsFrom(kind: StoreKind) throws {
        let almanac = try Self.almanac(kind)
        defer { almanac.remove() }
        let versions = ["One", "Two"].map {
            URL(fileURLWithPath: almanac.package).appendingPathComponent("\($0).xcdatamodel").path
        }
        expectRefusal(
            try Tool.run("migrate", almanac.store.path, "--to", versions[1]), containing: "[134130]", "--from MODEL",
            almanac.store.path)
        let given = try Tool.run("migrate", almanac.store.path, "--to", versions[1], "--from", versions[0])
        #expect(given.code == 0, "\(given.errors)")
        #expect(try almanac.with("Two") { try $0.all("Hero").count } == 4)
    }

    @Test("a mapping model makes another XML or binary store of the objects (MIG-11)", arguments: kinds)
    func mappingModel(kind: StoreKind) throws {
        let almanac = try Self.almanac(kind)
        defer { almanac.remove() }
        let file = try MigrateMappingTests.file(MigrateMappingTests.hashedMapping(almanac), in: almanac)
        let dry = try almanac.migrate("--version", "Retyped", "--mapping", file, "--dry-run")
        #expect(dry.code == 0, "\(dry.output) \(dry.errors)")
        let outcome = try almanac.migrate("--version", "Retyped", "--mapping", file)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("path    One -> Retyped  mapping"), "\(outcome.output)")
        try almanac.with("Retyped") { context in
            let titles = try context.all("Event").map { $0.value(forKey: "title") as? Int }
            #expect(titles == [5, 5])
        }
    }

    @Test(
        "temporary files of a killed migration of an XML or binary store are removed by the next (HAZ-41)",
        arguments: kinds)
    func abandonedTemporaryFilesAreRemoved(kind: StoreKind) throws {
        let almanac = try Self.almanac(kind)
        defer { almanac.remove() }
        let draft = ".\(UUID().uuidString).migrating"
        let inner = ".\(UUID().uuidString).migrating"
        for (name, text) in [
            (draft, ""), ("\(draft)-owner", "Almanac.store"), (inner, ""), ("\(inner)-owner", draft),
        ] { try Data(text.utf8).write(to: almanac.folder.appendingPathComponent(name)) }
        #expect(try almanac.migrate("--no-backup").code == 0)
        #expect(try almanac.files() == ["Almanac.store"])
    }

    @Test("an XML or binary store of one configuration is migrated with its entities alone (MIG-01)", arguments: kinds)
    func xmlOrBinaryStoreOfOneConfigurationIsMigrated(kind: StoreKind) throws {
        let models = try ModelFolder()
        defer { models.remove() }
        let folder = try TemporaryFolder()
        let package = try models.package(
            "Parts.xcdatamodeld", ("Two", MigrateConfigurationTests.two + MigrateConfigurationTests.device),
            ("One", MigrateConfigurationTests.one + MigrateConfigurationTests.device))
        let store = folder.url.appendingPathComponent("Device.store")
        func open<Result>(_ version: String, _ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
            let file = URL(fileURLWithPath: package).appendingPathComponent("\(version).xcdatamodel")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(reading: file))
            let added = try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: "Device", at: store, options: nil)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            defer { try? coordinator.remove(added) }
            return try body(context)
        }
        try open("One") { context in
            context.insert("Local", ["name": "kept"])
            try context.save()
        }
        for arguments in [["--plan"], ["--dry-run"], []] {
            let outcome = try Tool.run(["migrate", store.path, "--to", package] + arguments)
            #expect(outcome.code == 0, "\(arguments) \(outcome.output) \(outcome.errors)")
        }
        try open("Two") { context in
            let local = try #require(try context.all("Local").first)
            #expect(local.value(forKey: "name") as? String == "kept")
            local.setValue("new", forKey: "note")
            try context.save()
        }
    }
}
