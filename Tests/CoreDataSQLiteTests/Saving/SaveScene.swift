import CFaultVFS
import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// A store with a little of everything and a context with changes of every kind, ready to be saved.
final class SaveScene {
    let context: NSManagedObjectContext
    let file: StoreFile
    let url: URL
    private let folder: URL
    private let journal: String

    init(journal: String) throws {
        fault_vfs_register()
        folder = try Fixtures.temporaryFolder()
        url = folder.appendingPathComponent("Test.sqlite")
        self.journal = journal
        context = try Self.context(url, journal: journal, synchronous: "off")
        let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
        file = try #require(store.objects as? StoreFile)
        try prepare()
        try file.connection.setPragma("synchronous", to: .text("full"))
    }

    /// A context of a coordinator of its own on a store of the failing file system.
    private static func context(_ url: URL, journal: String, synchronous: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                SQLiteStoreFileSystemOption: FAULT_VFS_NAME, NSPersistentStoreTimeoutOption: 0,
                // So that a save moves the log into the file too, and pages are written before the commit.
                NSSQLitePragmasOption: [
                    "journal_mode": journal, "wal_autocheckpoint": "1", "cache_size": "2", "synchronous": synchronous,
                ],
            ])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A context of another coordinator on the store.
    func reopened() throws -> NSManagedObjectContext {
        try Self.context(url, journal: journal, synchronous: "full")
    }

    /// Takes the stores of a context out of its coordinator, so that their files are closed.
    static func close(_ context: NSManagedObjectContext) throws {
        guard let coordinator = context.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Closes the file, but keeps it.
    func close() throws { try Self.close(context) }

    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Person", ["name": .stringAttributeType, "photo": .binaryDataAttributeType])
        builder.entity("Group", ["name": .stringAttributeType])
        builder.attribute("Person.photo").allowsExternalBinaryDataStorage = true
        builder.relationships("Group.members*", "Person.groups*")
        return builder.model
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
