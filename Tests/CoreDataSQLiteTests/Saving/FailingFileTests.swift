import CFaultVFS
import CoreData
import SQLiteKit
import StoreContract
import TestBasics
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

    private static let full = Fault(
        name: "disk full", calls: FAULT_WRITE, result: 13, expected: NSFileWriteOutOfSpaceError)
    private static let write = Fault(
        name: "write error", calls: FAULT_WRITE, result: 10 | 3 << 8, expected: NSSQLiteError)
    private static let read = Fault(name: "read error", calls: FAULT_READ, result: 10 | 1 << 8, expected: NSSQLiteError)
    private static let sync = Fault(name: "sync error", calls: FAULT_SYNC, result: 10 | 4 << 8, expected: NSSQLiteError)
    private static let truncation = Fault(
        name: "truncation error", calls: FAULT_TRUNCATE, result: 10 | 6 << 8, expected: NSSQLiteError)
    private static let opening = Fault(name: "open error", calls: FAULT_OPEN, result: 14, expected: NSSQLiteError)
    private static let lock = Fault(
        name: "lock held", calls: FAULT_LOCK, result: 5, expected: NSPersistentStoreTimeoutError)
    private static let sharedMemory = Fault(
        name: "shared memory error", calls: FAULT_SHARED_MEMORY, result: 10 | 21 << 8, expected: NSSQLiteError)

    /// Each fault with the journals under which a save makes such calls.
    ///
    /// Only the rollback journals are opened during a save, only the truncated one is truncated by it, and the shared memory
    /// of a log is mapped when the store is opened (`eachCallOfOpening`).
    private static let faultsOfSaves: [(fault: Fault, journal: String)] = [
        (full, "wal"), (full, "delete"), (write, "wal"), (write, "delete"), (read, "wal"), (read, "delete"),
        (sync, "wal"), (sync, "delete"), (lock, "wal"), (lock, "delete"), (opening, "delete"),
        (truncation, "truncate"),
    ]

    private static let faultsOfOpening: [(fault: Fault, journal: String)] = [
        (read, "wal"), (read, "delete"), (opening, "wal"), (opening, "delete"), (lock, "wal"), (lock, "delete"),
        (sharedMemory, "wal"),
    ]

    @Test(
        "each failing call of a save leaves the store as it was, and the save succeeds afterwards (HAZ-38, HAZ-39)",
        .timeLimit(.minutes(20)), arguments: faultsOfSaves)
    func eachCall(fault: Fault, journal: String) throws {
        var (failures, faults) = (0, 0)
        var scene = try SaveScene(journal: journal)
        defer { scene.remove() }
        let before = try scene.contents()
        for number in 1...2_000 {
            // What the connection has read already would not be asked of the file.
            if fault.calls == FAULT_READ { try scene.file.connection.executeScript("PRAGMA shrink_memory") }
            fault_vfs_arm(Int32(fault.calls), Int64(number), fault.result, 0)
            let error = Self.error { try scene.context.save() }
            let hasFailed = fault_vfs_disarm() != 0
            faults += hasFailed ? 1 : 0
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
        #expect(faults > 0, "no call of a save was one that fails")
        #expect(failures > 0, "no failing call was one that a save cannot do without")
    }

    @Test(
        "each failing call of opening a store is an error or is got over, and the store opens afterwards (HAZ-39)",
        .timeLimit(.minutes(20)), arguments: faultsOfOpening)
    func eachCallOfOpening(fault: Fault, journal: String) throws {
        let scene = try SaveScene(journal: journal)
        defer { scene.remove() }
        try scene.context.save()
        try scene.close()
        var (failures, faults) = (0, 0)
        for number in 1...2_000 {
            fault_vfs_arm(Int32(fault.calls), Int64(number), fault.result, 0)
            let opened = Result { try scene.reopened() }
            let hasFailed = fault_vfs_disarm() != 0
            faults += hasFailed ? 1 : 0
            switch opened {
            case .failure(let error):
                failures += 1
                #expect((error as NSError).domain == NSCocoaErrorDomain, "call \(number): \(error)")
            case .success(let context):
                #expect(try context.all("Person").count == 3, "call \(number)")
                try SaveScene.close(context)
            }
            guard hasFailed else { break }
        }
        #expect(faults > 0, "no call of opening was one that fails")
        // A file that cannot be opened once is opened again.
        #expect(failures > 0 || fault.calls == FAULT_OPEN, "no failing call was one that opening cannot do without")
        #expect(try scene.contents() == scene.expected)
    }

    @Test(
        "a copy that fails at any call leaves nothing at its place and the coordinator as it was (STO-27)",
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
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.isEmpty, "call \(number): \(left)")
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

    @Test("after a failed synchronisation the file is opened again before it is used again (HAZ-39)")
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

    static func error(_ body: () throws -> Void) -> NSError? {
        do { try body() } catch { return error as NSError }
        return nil
    }
}
