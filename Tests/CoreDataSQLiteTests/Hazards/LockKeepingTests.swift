import CoreData
import Foundation
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// What a process does with a file that it has open must not cost it its locks: POSIX drops all of them when any
/// descriptor of the file is closed. Source: SQLite's "How To Corrupt An SQLite Database File", 2.2.
@Suite("Locks of a store that is open twice", .enabled(if: FileManager.default.fileExists(atPath: "/proc/locks")))
struct LockKeepingTests {
    /// What may be done with a store's file beside an open coordinator.
    enum Use: String, CaseIterable, CustomTestStringConvertible {
        case metadata, secondCoordinator, readOnlyCoordinator, description, classMetadata, copy

        var testDescription: String { rawValue }

        func run(_ url: URL, _ model: NSManagedObjectModel, _ store: NSPersistentStore) throws {
            switch self {
            case .metadata: _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
            case .classMetadata:
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType, at: url, options: [NSReadOnlyPersistentStoreOption: true])
            case .secondCoordinator, .readOnlyCoordinator:
                let second = NSPersistentStoreCoordinator(managedObjectModel: model)
                let options = [NSReadOnlyPersistentStoreOption: self == .readOnlyCoordinator]
                let other = try second.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
                try second.remove(other)
            case .description:
                let container = NSPersistentContainer(name: "Heroes", managedObjectModel: model)
                container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
                container.loadPersistentStores { _, error in #expect(error == nil) }
                for store in container.persistentStoreCoordinator.persistentStores {
                    try container.persistentStoreCoordinator.remove(store)
                }
            case .copy:
                let target = try Fixtures.temporaryFolder().appendingPathComponent("Copy.sqlite")
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                try coordinator.replacePersistentStore(
                    at: target, withPersistentStoreFrom: url, type: .sqlite)
            }
        }
    }

    /// The locks that this process holds on a file, as the system lists them: kind, first and last byte.
    private static func locks(_ path: String) throws -> Set<String> {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let inode = try #require(attributes[.systemFileNumber] as? NSNumber).stringValue
        let process = String(ProcessInfo.processInfo.processIdentifier)
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/locks"))
        let text = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        // 1: POSIX  ADVISORY  READ 12345 08:02:1234567 1073741826 1073742335
        var found: Set<String> = []
        for line in text.split(separator: "\n") {
            let words: [Substring] = line.split(separator: " ")
            guard words.count >= 8, words[4] == process, words[5].hasSuffix(":" + inode) else { continue }
            found.insert("\(words[3]) \(words[6]) \(words[7])")
        }
        return found
    }

    @Test(
        "what else is done with an open store leaves its locks and its log (HAZ-34)", arguments: Use.allCases,
        ["wal", "persist"])
    func locksAreKept(use: Use, journal: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Heroes.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["journal_mode": journal]])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.insert("Hero", ["name": "Ann"])
        try context.save()
        // A moment that is held keeps a read transaction, and with it a lock under every journal.
        if journal == "wal" { try context.setQueryGenerationFrom(.current) }
        _ = try context.all("Hero")
        let files = [url.path, url.path + "-shm"].filter { FileManager.default.fileExists(atPath: $0) }
        let before = try files.map(Self.locks)
        if journal == "wal" {
            try #require(before.allSatisfy { !$0.isEmpty }, "the system lists no locks of this process")
        }
        try use.run(url, HeroModel.make(), store)
        #expect(try files.map(Self.locks) == before, "\(files)")
        context.insert("Hero", ["name": "Bea"])
        try context.save()
        let again = try Stack(HeroModel.make(), url: url)
        let names = try again.context.all("Hero").compactMap { $0.value(forKey: "name") as? String }
        #expect(names.sorted() == ["Ann", "Bea"])
    }

    @Test("closing another descriptor of an open store's file is what the list of locks shows (HAZ-34)")
    func closedDescriptorCostsTheLocks() throws {
        let stack = try Stack(HeroModel.make())
        try stack.context.save()
        _ = try stack.context.all("Hero")
        let before = try Self.locks(stack.url.path)
        try #require(!before.isEmpty)
        let handle = try FileHandle(forReadingFrom: stack.url)
        try handle.close()
        #expect(try Self.locks(stack.url.path).isEmpty)
    }
}
