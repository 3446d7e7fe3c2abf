import CFaultVFS
import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// In the suite of failing files, as the file system's faults are one setting for the process.
extension FailingFileTests {
    /// A store of an old version in a file that can be put back, and the version that it is to be migrated to.
    private struct Versions {
        let url: URL
        private let original: Data
        private let folder: TemporaryFolder
        static var count: Int { TestSeed.isExhaustive ? 10_000 : 400 }

        init() throws {
            fault_vfs_register()
            folder = try TemporaryFolder()
            url = folder.url.appendingPathComponent("Old.sqlite")
            let stack = try Stack(Self.old(), url: url)
            let author = stack.context.insert("Writer", ["name": "Ann"])
            for number in 0..<Self.count {
                let book = stack.context.insert(
                    "Book", ["title": "title \(number)", "pages": number, "weight": number])
                if number % 2 == 0 { book.setValue(author, forKey: "writer") }
            }
            try stack.context.save()
            try stack.coordinator.remove(stack.store)
            original = try Data(contentsOf: url)
        }

        /// Puts the file of the old version back.
        func reset() throws {
            for suffix in ["-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: url.path + suffix)
            }
            try original.write(to: url)
        }

        static func old() -> NSManagedObjectModel {
            let builder = ModelBuilder()
            builder.entity(
                "Book",
                ["title": .stringAttributeType, "pages": .integer32AttributeType, "weight": .doubleAttributeType])
            builder.entity("Writer", ["name": .stringAttributeType])
            builder.relationships("Writer.books*", "Book.writer")
            return builder.model
        }

        /// One table is made anew, with numbers of another type, another changed in place, one is new, and all numbers move.
        static func new() -> NSManagedObjectModel {
            let builder = ModelBuilder()
            builder.entity("Archive", ["name": .stringAttributeType])
            builder.entity("Book", ["title": .stringAttributeType, "weight": .decimalAttributeType])
            builder.entity("Writer", ["fullName": .stringAttributeType, "rank": .integer16AttributeType])
            builder.attribute("Writer.fullName").renamingIdentifier = "name"
            builder.attribute("Writer.rank").defaultValue = 5
            builder.relationships("Writer.books*!", "Book.writer")
            return builder.model
        }

        /// What a store of either version is to have; nil for anything else.
        func version() throws -> String? {
            let metadata = try StoreFile.metadata(at: url)
            let isNew = Self.new().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            let stack = try Stack(isNew ? Self.new() : Self.old(), url: url)
            defer { try? stack.coordinator.remove(stack.store) }
            let books = try stack.context.all("Book")
            let titles = Set(books.compactMap { $0.value(forKey: "title") as? String })
            let writer = try stack.context.all("Writer").first
            let name = writer?.value(forKey: isNew ? "fullName" : "name") as? String
            let written =
                isNew
                ? (writer?.value(forKey: "books") as? NSOrderedSet)?.count
                : (writer?.value(forKey: "books") as? NSSet)?.count
            let weights = Set(books.compactMap { ($0.value(forKey: "weight") as? NSNumber)?.intValue })
            guard titles.count == Self.count, weights.count == Self.count, name == "Ann", written == Self.count / 2
            else { return nil }
            if isNew { return writer?.value(forKey: "rank") as? Int == 5 ? "new" : nil }
            let pages = Set(books.compactMap { $0.value(forKey: "pages") as? Int })
            return pages.count == Self.count ? "old" : nil
        }

        /// Opens the store with the new version through the file system that fails.
        func migrate() throws {
            let options: [AnyHashable: Any] = [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                SQLiteStoreFileSystemOption: FAULT_VFS_NAME, NSPersistentStoreTimeoutOption: 0,
            ]
            let stack = try Stack(Self.new(), url: url, options: options)
            try stack.coordinator.remove(stack.store)
        }
    }

    private static let migrationFaults: [(name: String, calls: Int, result: Int32)] = [
        ("disk full", FAULT_WRITE, 13), ("write error", FAULT_WRITE, 10 | 3 << 8),
        ("read error", FAULT_READ, 10 | 1 << 8),
        ("sync error", FAULT_SYNC, 10 | 4 << 8), ("open error", FAULT_OPEN, 14), ("lock held", FAULT_LOCK, 5),
    ]

    @Test(
        "whichever call of a migration fails, the store is of the old version or of the new one, whole (MIG-17, HAZ-44)",
        .timeLimit(.minutes(20)), arguments: migrationFaults.indices)
    func eachCallOfAMigration(index: Int) throws {
        let (name, calls, result) = Self.migrationFaults[index]
        let versions = try Versions()
        var (failures, faults, number) = (0, 0, 0)
        while true {
            number += Self.stride(number)
            try versions.reset()
            fault_vfs_arm(Int32(calls), Int64(number), result, 0)
            let error = Self.failure { try versions.migrate() }
            let hasFailed = fault_vfs_disarm() != 0
            faults += hasFailed ? 1 : 0
            let version = try versions.version()
            if let error {
                failures += 1
                #expect(error.domain == NSCocoaErrorDomain, "\(name) at call \(number): \(error)")
                #expect(version == "old" || version == "new", "\(name) at call \(number)")
            } else {
                #expect(version == "new", "\(name) at call \(number)")
            }
            guard hasFailed else { break }
            if version == "old" {
                try versions.migrate()
                #expect(try versions.version() == "new", "\(name) at call \(number), the second time")
            }
        }
        #expect(faults > 0, "no call of a migration was one that fails")
        #expect(failures > 0 || calls == FAULT_OPEN, "no failing call was one that a migration cannot do without")
    }

    @Test(
        "when the power goes at any write of a migration, the store is of one version or the other, whole (MIG-17, HAZ-42)",
        .timeLimit(.minutes(30)))
    func powerLossDuringMigration() throws {
        let versions = try Versions()
        let disk = FAULT_WRITE | FAULT_SYNC | FAULT_TRUNCATE | FAULT_DELETE
        var (number, old, new) = (0, 0, 0)
        while true {
            number += Self.stride(number)
            try versions.reset()
            fault_vfs_watch()
            fault_vfs_arm(Int32(disk), Int64(number), 10 | 4 << 8, 1)
            _ = Self.failure { try versions.migrate() }
            let wasReached = fault_vfs_disarm() != 0
            fault_vfs_lose_power(TestSeed.first &* 1_000 &+ UInt64(number))
            try? FileManager.default.removeItem(atPath: versions.url.path + "-shm")
            let version = try versions.version()
            #expect(version != nil, "call \(number)")
            #expect(try Connection.open(versions.url.path).integrityFaults() == [], "call \(number)")
            (old, new) = (old + (version == "old" ? 1 : 0), new + (version == "new" ? 1 : 0))
            guard wasReached else { break }
        }
        print(
            "HAZ-42: \(number) losses of power during a migration: \(old) stores of the old version, \(new) of the new one"
        )
        #expect(old > 5 && new > 0)
    }

    /// In `make test` a sample of the calls, in `make soak` every one.
    private static func stride(_ number: Int) -> Int { TestSeed.isExhaustive || number < 12 ? 1 : 7 }

    private static func failure(_ body: () throws -> Void) -> NSError? {
        do {
            try body()
            return nil
        } catch {
            return error as NSError
        }
    }
}
