import CoreData
import StoreContract
import Testing

/// `coredata migrate` where nothing is in the way.
struct MigrateTests {
    @Test("a store is migrated where it is, and the backup is the store as it was (MIG-17)")
    func migratesInPlaceWithBackup() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let outcome = try almanac.migrate()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "")
        let backup = try #require(try almanac.backup())
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("from    One  (kept by the store)"), "\(outcome.output)")
        #expect(lines.contains("path    One -> Two  lightweight"))
        #expect(lines.contains("backup  \(backup.path)"))
        #expect(lines.last == "migrated")
        try almanac.with("Two") { context in
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.count == 4)
            #expect(heroes.allSatisfy { $0.value(forKey: "color") as? String == "blue" })
            #expect((heroes[0].value(forKey: "picture") as? Data)?.count == 300_000)
        }
        // The backup has its own large values: those of the store may go.
        try FileManager.default.removeItem(at: almanac.store)
        try FileManager.default.removeItem(at: almanac.folder.appendingPathComponent(".Almanac_SUPPORT"))
        try almanac.with("One", at: backup) { context in
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.map { $0.value(forKey: "name") as? String } == ["Big", "Hero 0", "Hero 1", "Hero 2"])
            #expect(heroes[0].value(forKey: "picture") as? Data == Data(repeating: 7, count: 300_000))
            #expect(try context.all("Event").count == 2)
        }
        #expect(try Database.text(backup, "SELECT count(*) FROM ZPOWER WHERE ZHERO IS NOT NULL") == "3")
    }

    @Test func noBackupLeavesNone() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let before = try almanac.files()
        let outcome = try almanac.migrate("--no-backup", "--format", "json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let report: [String: Any] = try outcome.json()
        #expect(report["result"] as? String == "migrated")
        #expect(report["backup"] is NSNull)
        #expect(try almanac.files() == before)
    }

    @Test(
        "temporary files of a killed process are removed, those of a living one and of another store stay (HAZ-41, MIG-17)"
    )
    func abandonedTemporaryFilesAreRemoved() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        /// Makes the files of a draft; the name of the store in that of its owner is what counts.
        func leave(for store: String) throws -> [String] {
            let draft = ".\(UUID().uuidString).creating"
            let files = ["", "-journal", "-owner"].map { draft + $0 }
            for file in files { try Data(store.utf8).write(to: almanac.folder.appendingPathComponent(file)) }
            return files
        }
        let foreign = try leave(for: "Other.sqlite")
        let living = TemporaryStoreOwner(for: almanac.store, purpose: "creating")
        defer { living.discard() }
        try Data("draft".utf8).write(to: living.temporary)
        let kept = Set(foreign + [living.temporary.lastPathComponent, living.temporary.lastPathComponent + "-owner"])
        // A store that is of the version already is migrated to it, too.
        for arguments in [["--version", "Two"], ["--version", "Two"], ["--version", "One", "--allow-loss"]] {
            let dead = try leave(for: "Almanac.sqlite")
            let outcome = try Tool.run(["migrate", almanac.store.path, "--to", almanac.package] + arguments)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let left = Set(try almanac.files())
            #expect(left.isDisjoint(with: dead) && left.isSuperset(of: kept), "\(arguments): \(left)")
        }
        let dead = try leave(for: "Almanac.sqlite")
        let planned = try almanac.migrate("--version", "Two", "--dry-run")
        #expect(planned.code == 0, "\(planned.errors)")
        #expect(Set(try almanac.files()).isSuperset(of: dead), "a plan changes nothing")
    }

    @Test func storeOfTheVersionIsLeftAlone() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let outcome = try almanac.migrate("--version", "One")
        #expect(outcome.code == 0)
        #expect(outcome.output == "'\(almanac.store.path)' is of the version 'One' already\n")
        let report: [String: Any] = try almanac.migrate("--version", "One", "--format", "json").json()
        #expect(report["result"] as? String == "upToDate")
        #expect(try FolderState(around: almanac.store) == before)
    }

    @Test("a newer store goes back to an older version once the loss is allowed (MIG-16)")
    func goesBackToAnOlderVersion() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        #expect(try almanac.migrate("--no-backup").code == 0)
        let before = try FolderState(around: almanac.store)
        let refused = try almanac.migrate("--version", "One")
        #expect(refused.code == 3)
        // The heroes have a color each; the cities would be lost if there were any.
        #expect(refused.errors.contains("attribute Hero.color, 4 values"), "\(refused.errors)")
        #expect(!refused.errors.contains("City"))
        #expect(try FolderState(around: almanac.store) == before)
        #expect(try almanac.migrate("--version", "One", "--allow-loss", "--no-backup").code == 0)
        #expect(try almanac.with("One") { try $0.all("Hero").count } == 4)
    }

    @Test("an entity that is renamed with its identifier keeps its rows and loses nothing (MIG-08)")
    func renamedWithIdentifier() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let outcome = try almanac.migrate("--version", "Same")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try almanac.with("Same") { try $0.all("Occurrence").count } == 2)
    }

    @Test("rows of an entity that is renamed without identifier are reported, with what would keep them (MIG-09)")
    func renamedWithoutIdentifierIsRefused() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        for option in [[], ["--plan"], ["--plan", "--format", "json"], ["--format", "json"]] {
            let outcome = try Tool.run(
                ["migrate", almanac.store.path, "--to", almanac.package, "--version", "Renamed"] + option)
            #expect(outcome.code == 3, "\(option)")
            let text = outcome.output + outcome.errors
            #expect(text.contains("give it the renaming identifier 'Event'"), "\(option): \(text)")
        }
        let report: [String: Any] = try almanac.migrate("--version", "Renamed", "--plan", "--format", "json").json()
        #expect(report["result"] as? String == "losesData")
        let losses = try #require(report["losses"] as? [[String: Any]])
        #expect(losses.count == 1)
        #expect(losses[0]["kind"] as? String == "entity")
        #expect(losses[0]["name"] as? String == "Event")
        #expect(losses[0]["count"] as? Int == 2)
        #expect(try FolderState(around: almanac.store) == before)
        let outcome = try almanac.migrate("--version", "Renamed", "--allow-loss")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("lost    entity Event: 2 objects"))
        #expect(try almanac.with("Renamed") { try $0.all("Occurrence").count } == 0)
        let backup = try #require(try almanac.backup())
        #expect(try almanac.with("One", at: backup) { try $0.all("Event").count } == 2)
    }

    @Test func secondBackupHasANameOfItsOwn() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        for version in ["Two", "Renamed", "Two"] {
            #expect(try almanac.migrate("--version", version, "--allow-loss").code == 0)
        }
        #expect(try almanac.files().filter { $0.contains("-backup-") && $0.hasSuffix(".sqlite") }.count == 3)
    }

    @Test func storeWithoutExtensionHasABackupWithItsOwnLargeValues() throws {
        let almanac = try Almanac(store: "Almanac")
        defer { almanac.remove() }
        #expect(try almanac.migrate().code == 0)
        let name = try #require(
            try almanac.files().first { $0.hasPrefix("Almanac-backup-") && !$0.contains("SUPPORT") })
        let backup = almanac.folder.appendingPathComponent(name)
        try FileManager.default.removeItem(at: almanac.folder.appendingPathComponent(".Almanac_SUPPORT"))
        try almanac.with("One", at: backup) { context in
            let picture = try context.all("Hero", NSPredicate(format: "name == 'Big'"))[0].value(forKey: "picture")
            #expect(picture as? Data == Data(repeating: 7, count: 300_000))
        }
    }
}
