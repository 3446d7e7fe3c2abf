import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// Files that this process has open while it looks into them again.
@Suite struct LiveFileTests {
    /// A store with a rollback journal of a mode.
    private func stack(_ mode: String) throws -> Stack {
        let stack = try HeroModel.stack()
        let url = stack.url
        try stack.coordinator.remove(stack.store)
        let connection = try Connection.open(url.path)
        _ = try connection.rows("PRAGMA journal_mode = \(mode)")
        connection.close()
        try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["journal_mode": mode]])
        return stack
    }

    private func look(at url: URL, _ model: NSManagedObjectModel) throws {
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        _ = try StoreFile.cachedModel(at: url)
        _ = DatabaseBytes.first(16, of: url.path)
        for leavesNoTrace in [true, false] {
            let other = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try other.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                options: [NSReadOnlyPersistentStoreOption: true, SQLiteStoreLeavesNoTraceOption: leavesNoTrace])
            try other.remove(store)
        }
    }

    /// The locks that the system knows on a file; nil where it does not tell.
    private func locks(on url: URL) throws -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        let inode = try #require(attributes[.systemFileNumber] as? NSNumber)
        return text.split(separator: "\n").count { line in
            line.contains("POSIX") && line.split(separator: " ").contains { $0.hasSuffix(":\(inode)") }
        }
    }

    @Test(
        "looking into a file drops no lock that this process has on it", arguments: ["delete", "persist", "truncate"])
    func locksAreKept(mode: String) throws {
        let stack = try stack(mode)
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        try stack.execute("BEGIN")
        _ = try stack.rows("SELECT * FROM ZHERO")
        guard let before = try locks(on: stack.url) else { return }
        #expect(before > 0)
        try look(at: stack.url, stack.model)
        #expect(try locks(on: stack.url) == before)
        try stack.execute("COMMIT")
        #expect(try locks(on: stack.url) == 0)
    }

    @Test("a copy of a file whose log has no index keeps the locks on it too")
    func copiesKeepLocks() throws {
        let stack = try HeroModel.stack()
        let url = stack.url
        try stack.coordinator.remove(stack.store)
        let holder = try Connection.open(url.path)
        defer { holder.close() }
        for pragma in ["journal_mode = DELETE", "locking_mode = EXCLUSIVE", "journal_mode = WAL"] {
            _ = try holder.rows("PRAGMA \(pragma)")
        }
        try holder.execute("UPDATE Z_METADATA SET Z_VERSION = 1")
        guard let before = try locks(on: url) else { return }
        #expect(before > 0)
        #expect(!FileManager.default.fileExists(atPath: url.path + "-shm"))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        #expect(try locks(on: url) == before)
    }

    @Test("a store with a journal that stays is read as it is, and as it becomes")
    func persistentJournal() throws {
        let stack = try stack("persist")
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let journal = try FileManager.default.attributesOfItem(atPath: stack.url.path + "-journal")
        #expect((journal[.size] as? Int ?? 0) > 0)
        for leavesNoTrace in [true, false] {
            let reader = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
            try reader.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
                options: [NSReadOnlyPersistentStoreOption: true, SQLiteStoreLeavesNoTraceOption: leavesNoTrace])
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = reader
            let before = try context.all("Hero").count
            stack.context.insert("Hero", ["name": "Bob"])
            try stack.context.save()
            #expect(try context.all("Hero").count == before + 1)
        }
    }
}
