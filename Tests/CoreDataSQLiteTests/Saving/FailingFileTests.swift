import CFaultVFS
import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

@testable import CoreDataSQLite

/// The file system's faults are one setting for the process, so these tests come one after the other.
@Suite("A save on a file system that fails", .serialized)
struct FailingFileTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let calls: Int
        let result: Int32
        /// The code of the error that the save throws.
        let expected: Int

        var testDescription: String { name }
    }

    private static let faults = [
        Fault(name: "disk full", calls: FAULT_WRITE, result: 13, expected: NSFileWriteOutOfSpaceError),
        Fault(name: "write error", calls: FAULT_WRITE, result: 10 | 3 << 8, expected: NSSQLiteError),
        Fault(name: "read error", calls: FAULT_READ, result: 10 | 1 << 8, expected: NSSQLiteError),
        Fault(name: "sync error", calls: FAULT_SYNC, result: 10 | 4 << 8, expected: NSSQLiteError),
        Fault(name: "truncation error", calls: FAULT_TRUNCATE, result: 10 | 6 << 8, expected: NSSQLiteError),
        Fault(name: "open error", calls: FAULT_OPEN, result: 14, expected: NSSQLiteError),
        Fault(name: "lock held", calls: FAULT_LOCK, result: 5, expected: NSPersistentStoreTimeoutError),
        Fault(name: "shared memory error", calls: FAULT_SHARED_MEMORY, result: 10 | 21 << 8, expected: NSSQLiteError),
    ]

    @Test(
        "HAZ-38, HAZ-39: each failing call of a save leaves the store as it was, and the save succeeds afterwards",
        .timeLimit(.minutes(20)), arguments: faults, ["wal", "delete"])
    func eachCall(fault: Fault, journal: String) throws {
        var failures = 0
        var scene = try SaveScene(journal: journal)
        defer { scene.remove() }
        let before = try scene.contents()
        for number in 1...2_000 {
            fault_vfs_arm(Int32(fault.calls), Int64(number), fault.result, 0)
            let error = Self.error { try scene.context.save() }
            let hasFailed = fault_vfs_disarm() != 0
            if let error {
                // The same changes are saved again, with the next call failing, until there is none left.
                failures += 1
                #expect(error.domain == NSCocoaErrorDomain && error.code == fault.expected, "call \(number): \(error)")
                #expect(try scene.contents() == before, "\(fault.name) at call \(number)")
                #expect(scene.context.hasChanges)
                continue
            }
            #expect(try scene.contents() == scene.expected, "\(fault.name) at call \(number)")
            #expect(!scene.context.hasChanges)
            guard hasFailed else { break }
            // What fails after the commit, such as moving the log into the file, is no failure of the save.
            scene.remove()
            scene = try SaveScene(journal: journal)
        }
        if fault.calls & (FAULT_WRITE | FAULT_SYNC | FAULT_LOCK) != 0 { #expect(failures > 0) }
    }

    @Test(
        "STO-27: a copy that fails at any call leaves nothing at its place and the coordinator as it was",
        .timeLimit(.minutes(20)), arguments: ["wal", "delete"])
    func eachCallOfACopy(journal: String) throws {
        let scene = try SaveScene(journal: journal)
        defer { scene.remove() }
        try scene.context.save()
        let coordinator = try #require(scene.context.persistentStoreCoordinator)
        let store = coordinator.persistentStores[0]
        let folder = try Fixtures.temporaryFolder()
        let target = folder.appendingPathComponent("Copy.sqlite")
        let options: [AnyHashable: Any] = [
            SQLiteStoreFileSystemOption: FAULT_VFS_NAME,
            NSSQLitePragmasOption: ["journal_mode": journal, "cache_size": "2"],
        ]
        var failures = 0
        for number in 1...2_000 {
            fault_vfs_arm(Int32(FAULT_WRITE), Int64(number), 13, 1)
            let error = Self.error {
                try coordinator.migratePersistentStore(store, to: target, options: options, type: .sqlite)
            }
            _ = fault_vfs_disarm()
            guard error != nil else { break }
            failures += 1
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [], "call \(number)")
            #expect(coordinator.persistentStores == [store])
        }
        #expect(failures > 0)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        #expect(coordinator.persistentStores.first?.url == target)
        #expect(try context.all("Person").count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains(".Copy_SUPPORT"))
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    @Test("HAZ-39: after a failed synchronisation the file is opened anew before it is used again")
    func failedSynchronisation() throws {
        let scene = try SaveScene(journal: "wal")
        defer { scene.remove() }
        let first = ObjectIdentifier(scene.file.connection)
        fault_vfs_arm(Int32(FAULT_SYNC), 1, 10 | 4 << 8, 0)
        #expect(Self.error { try scene.context.save() } != nil)
        _ = fault_vfs_disarm()
        #expect(ObjectIdentifier(scene.file.connection) == first)
        try scene.context.save()
        #expect(ObjectIdentifier(scene.file.connection) != first)
        #expect(try scene.contents() == scene.expected)
    }

    @Test("A delete rule whose members cannot be read refuses the save, and is followed by the next")
    func unreadableMembers() throws {
        let scene = try SaveScene(journal: "wal")
        defer { scene.remove() }
        try scene.context.save()
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = scene.context.persistentStoreCoordinator
        let group = try #require(try context.all("Group").first)
        group.willAccessValue(forKey: nil)
        // What the connection has read already would not be asked of the file.
        try scene.file.connection.executeScript("PRAGMA shrink_memory")
        context.delete(group)
        fault_vfs_arm(Int32(FAULT_LOCK), 1, 5, 1)
        #expect(Self.error { try context.save() } != nil)
        _ = fault_vfs_disarm()
        #expect(context.deletedObjects == [group])
        try context.save()
        let rows = try scene.contents()
        #expect(!rows.contains([1, 2, "g"]) && !rows.contains([1, 3]) && !rows.contains([1, 4]))
    }

    private static func error(_ body: () throws -> Void) -> NSError? {
        do { try body() } catch { return error as NSError }
        return nil
    }
}

/// A store with a little of everything and a context with changes of every kind, ready to be saved.
private final class SaveScene {
    let context: NSManagedObjectContext
    let file: StoreFile
    private let folder: URL
    private let url: URL

    init(journal: String) throws {
        fault_vfs_register()
        folder = try Fixtures.temporaryFolder()
        url = folder.appendingPathComponent("Test.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                SQLiteStoreFileSystemOption: FAULT_VFS_NAME, NSPersistentStoreTimeoutOption: 0,
                // So that a save moves the log into the file too, and pages are written before the commit.
                NSSQLitePragmasOption: [
                    "journal_mode": journal, "wal_autocheckpoint": "1", "cache_size": "2", "synchronous": "off",
                ],
            ])
        file = try #require(store.objects as? StoreFile)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try prepare()
        try file.connection.setPragma("synchronous", to: .text("full"))
    }

    private static func model() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity("Person", ["name": .stringAttributeType, "photo": .binaryDataAttributeType])
        draft.entity("Group", ["name": .stringAttributeType])
        draft.attribute("Person.photo").allowsExternalBinaryDataStorage = true
        draft.relationships("Group.members*", "Person.groups*")
        return draft.model
    }

    private func prepare() throws {
        let large = Data(repeating: 1, count: 110_000)
        let people = (0..<3).map { number in
            context.insert("Person", ["name": String(repeating: "p", count: 3_000) + "\(number)", "photo": large])
        }
        let group = context.insert("Group", ["name": "g"])
        group.setValue(NSSet(array: Array(people[0..<2])), forKey: "members")
        try context.save()
        context.delete(people[0])
        people[1].setValue("changed", forKey: "name")
        people[2].setValue(Data(repeating: 2, count: 120_000), forKey: "photo")
        let late = context.insert("Person", ["name": "late", "photo": Data(repeating: 3, count: 130_000)])
        group.setValue(NSSet(array: [people[2], late]), forKey: "members")
    }

    /// The rows of all tables but for the names of files, and how many files there are.
    func contents() throws -> [[Value]] {
        let connection = try Connection.open(url.path)
        let join = try connection.catalog().tables.first {
            $0.name.hasPrefix("Z_") && $0.name.contains("MEMBERS") || $0.name.contains("GROUPS")
        }
        let photos = folder.appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA").path
        let files = try FileManager.default.contentsOfDirectory(atPath: photos).map { name in
            Int64(
                (try FileManager.default.attributesOfItem(atPath: "\(photos)/\(name)")[.size] as? NSNumber)?.intValue
                    ?? 0)
        }
        return try connection.rows("SELECT Z_PK, Z_OPT, substr(ZNAME, -7), length(ZPHOTO) FROM ZPERSON ORDER BY Z_PK")
            + connection.rows("SELECT Z_PK, Z_OPT, ZNAME FROM ZGROUP")
            + connection.rows("SELECT * FROM \(join?.name ?? "") ORDER BY 1, 2")
            + connection.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
            + [files.sorted().map(Value.integer)]
    }

    /// The contents after the save.
    let expected: [[Value]] = [
        [2, 2, "changed", 38], [3, 2, "pppppp2", 38], [4, 1, "late", 38], [1, 2, "g"], [1, 3], [1, 4],
        ["Group", 1], ["Person", 4], [110_000, 120_000, 130_000],
    ]

    func remove() {
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try? context.persistentStoreCoordinator?.remove(store)
        }
        try? FileManager.default.removeItem(at: folder)
    }
}
