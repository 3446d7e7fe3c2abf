import CoreData
import StoreContract
import TestBasics
import Testing
import WriteScenarios

/// What processes that were killed have left beside a store.
@Suite("Temporary stores of killed processes", .timeLimit(.minutes(10)))
struct AbandonedStoreTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Test.store") }

    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
    }

    /// Makes the files of a temporary file, and that of its owner as a killed process leaves it: without a lock.
    @discardableResult
    private func leave(for store: String, _ identifier: String = UUID().uuidString) throws -> String {
        let temporary = ".\(identifier).creating"
        for suffix in ["", "-wal", "-journal"] {
            try Data("temporary".utf8).write(to: folder.url.appendingPathComponent(temporary + suffix))
        }
        try Data(store.utf8).write(to: folder.url.appendingPathComponent(temporary + "-owner"))
        return temporary
    }

    private func open(_ kind: StoreKind, readOnly: Bool = false) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SharedRows.make())
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: readOnly])
        try coordinator.remove(store)
    }

    @Test(
        "the next opening removes the temporary file of a save that was killed (HAZ-41)",
        arguments: StoreKind.wholeFiles)
    func killedSave(kind: StoreKind) throws {
        let child = try Child("replace-rows", url.path, kind.type)
        let lines = child.lines()
        let status = child.status()
        #expect(lines == ["saved"])
        try #require(status == -Int(SIGKILL))
        let left = try names().filter { $0.contains(".saving") }
        #expect(left.count == 2, "\(left)")
        try open(kind)
        let after = try names()
        #expect(after == ["Test.store"])
    }

    @Test(
        "creating, opening and saving a store remove temporary stores whose process has ended (HAZ-41)",
        arguments: [
            StoreKind.sqlite, .xml, .binary,
        ])
    func creatingOpeningAndSavingStoreRemoveAbandonedTemporaryStores(kind: StoreKind) throws {
        try leave(for: "Test.store")
        try open(kind)
        var found = try names()
        #expect(found == ["Test.store"])
        // A temporary file of a temporary file, whose own owner had the store's name.
        let temporary = try leave(for: "Test.store")
        try leave(for: temporary)
        let support = folder.url.appendingPathComponent(".\(temporary.dropLast(9))_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
        try Data("large".utf8).write(to: support.appendingPathComponent(UUID().uuidString))
        try open(kind, readOnly: true)
        found = try names()
        #expect(found.count { $0.contains(temporary.dropFirst().prefix(36)) } == 5, "opened to be read only: \(found)")
        try open(kind)
        found = try names()
        #expect(found == ["Test.store"])
    }

    @Test("temporary stores of living processes and of other stores stay (HAZ-41)")
    func draftsOfLivingProcessesAndOfOtherStoresStay() throws {
        try open(.sqlite)
        let foreign = try leave(for: "Other.store")
        let living = TemporaryStoreOwner(for: url, purpose: "creating")
        try Data("temporary".utf8).write(to: living.temporary)
        let child = try Child("hold-temporary", url.path)
        let held = try #require(child.line())
        try open(.sqlite)
        var found = try names()
        for name in [foreign, foreign + "-owner", living.temporary.lastPathComponent, held, held + "-owner"] {
            #expect(found.contains(name), "\(name)")
        }
        child.kill()
        _ = child.status()
        try open(.sqlite)
        found = try names()
        #expect(!found.contains { $0.hasPrefix(held) })
        #expect(found.contains(living.temporary.lastPathComponent))
        living.release()
        #expect(FileManager.default.fileExists(atPath: living.temporary.path))
    }

    @Test("the next opening removes what a kill anywhere in a backup left of it (HAZ-41, MIG-17)")
    func killedBackup() throws {
        let original = try BookVersions.make(in: folder.url)
        var call = 0
        var leftovers: Set<String> = []
        while true {
            call += TestSeed.isExhaustive ? 1 : 5
            let place = try TemporaryFolder()
            for name in ["Books.sqlite", ".Books_SUPPORT"] {
                try FileManager.default.copyItem(
                    at: folder.url.appendingPathComponent(name), to: place.url.appendingPathComponent(name))
            }
            let url = place.url.appendingPathComponent(original.lastPathComponent)
            let child = try Child("back-up", url.path, "\(call)")
            let lines = child.lines()
            guard child.status() == -Int(SIGKILL) else {
                #expect(lines.count == 1)
                break
            }
            leftovers.formUnion(
                try FileManager.default.contentsOfDirectory(atPath: place.url.path).map {
                    $0.replacing(/[0-9A-F-]{36}/, with: "UUID")
                })
            #expect(try BookVersions.oldLines(url) == BookVersions.lines, "call \(call)")
            let left = try FileManager.default.contentsOfDirectory(atPath: place.url.path).sorted()
            #expect(left == [".Books_SUPPORT", "Books.sqlite"], "call \(call)")
        }
        // Otherwise the kills met nothing, and the test says nothing.
        #expect(
            leftovers.isSuperset(of: [".UUID.copying-owner", ".UUID.creating", ".UUID.creating-owner"]), "\(leftovers)")
    }

    @Test("the next migration removes what a kill anywhere in a backup and a migration left of them (HAZ-41, MIG-17)")
    func killedMigration() throws {
        _ = try BookVersions.make(in: folder.url)
        let files = try names()
        var (call, leftovers) = (0, Set<String>())
        while true {
            call += TestSeed.isExhaustive ? 1 : 3
            let place = try TemporaryFolder()
            for name in files {
                try FileManager.default.copyItem(
                    at: folder.url.appendingPathComponent(name), to: place.url.appendingPathComponent(name))
            }
            let url = place.url.appendingPathComponent("Books.sqlite")
            let child = try Child("back-up-and-migrate", url.path, "\(call)")
            let lines = child.lines()
            guard child.status() == -Int(SIGKILL) else {
                #expect(lines == BookVersions.lines)
                break
            }
            leftovers.formUnion(try Self.hidden(place.url))
            _ = try StoreBackup.make(of: url, storeClass: SQLiteStore.self)
            #expect(try Self.hidden(place.url) == [], "call \(call)")
            #expect(try BookVersions.migrate(url) == BookVersions.lines, "call \(call)")
            #expect(try Self.hidden(place.url) == [], "call \(call)")
        }
        // Otherwise the kills met nothing, and the test says nothing.
        #expect(call > 60)
        #expect(
            leftovers.isSuperset(of: [
                ".UUID.copying-owner", ".UUID.creating", ".UUID.creating-owner", ".UUID.migrating-owner",
            ]), "\(leftovers)")
    }

    /// What is beside a store and its backups that belongs to none of them, without the numbers in the names.
    private static func hidden(_ folder: URL) throws -> Set<String> {
        let all = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        let strangers = all.filter { name in
            guard name.hasPrefix(".") else { return name.hasSuffix("-owner") || name.hasSuffix("ing") }
            return !name.hasSuffix("_SUPPORT") || !all.contains(name.dropFirst().dropLast(8) + ".sqlite")
        }
        return Set(strangers.map { $0.replacing(/[0-9A-F-]{36}/, with: "UUID") })
    }

    @Test(
        "large values that a killed backup had got a name for go, those of other stores and of whole backups stay (HAZ-41)"
    )
    func publishedLargeValues() throws {
        try open(.sqlite)
        let stamp = "backup-20240229-120000"
        let places = [
            "Test-\(stamp).store", "Test-\(stamp)-2.store", "Other-\(stamp).store", "Test.store", "../Test-x",
        ]
        for (number, place) in places.enumerated() {
            let support = folder.url.appendingPathComponent(".\((place as NSString).deletingPathExtension)_SUPPORT")
            if !place.contains("/") {
                try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
            }
            try leave(for: "Test.store\0\(place)")
            if number == 1 { try Data("whole".utf8).write(to: folder.url.appendingPathComponent(place)) }
        }
        try open(.sqlite)
        let found = try names()
        #expect(
            found == [
                "Test.store", "Test-\(stamp)-2.store", ".Test-\(stamp)-2_SUPPORT", ".Other-\(stamp)_SUPPORT",
                ".Test_SUPPORT",
            ])
    }

    @Test("what only looks like the file of an owner stays, and is not followed (HAZ-41)")
    func hostileOwners() throws {
        let (one, other, third) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
        let victim = folder.url.appendingPathComponent("Victim")
        try Data("Test.store".utf8).write(to: victim)
        let manager = FileManager.default
        try manager.createSymbolicLink(
            at: folder.url.appendingPathComponent(".\(one).creating-owner"), withDestinationURL: victim)
        try manager.createDirectory(
            at: folder.url.appendingPathComponent(".\(other).creating-owner"), withIntermediateDirectories: true)
        mkfifo(folder.url.appendingPathComponent(".\(third).creating-owner").path, 0o644)
        for name in [".creating-owner", ".x.creating-owner", "-owner", ".\(UUID().uuidString)-owner"] {
            try Data("Test.store".utf8).write(to: folder.url.appendingPathComponent(name))
        }
        // A link among the files of a temporary file is removed, and what it leads to is not.
        let temporary = try leave(for: "Test.store")
        let outside = folder.url.appendingPathComponent("Outside")
        try manager.createDirectory(at: outside, withIntermediateDirectories: true)
        try Data().write(to: outside.appendingPathComponent("kept"))
        try manager.createSymbolicLink(
            at: folder.url.appendingPathComponent(".\(temporary.dropLast(9))_SUPPORT"), withDestinationURL: outside)
        let before = try names()
        try open(.sqlite)
        let after = try names()
        let gone = before.subtracting(after)
        #expect(gone.count == 5 && gone.allSatisfy { $0.contains(temporary.dropFirst().prefix(36)) }, "\(gone)")
        #expect(manager.fileExists(atPath: outside.appendingPathComponent("kept").path))
    }
}
