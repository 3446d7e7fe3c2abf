import CoreData
import CoreDataSyncing
import Synchronization
import TestBasics
import Testing

/// SuperDB's last stage as the books write it: a coordinator whose store is attached later, in the container of the account.
@Suite("SuperDB synchronized", .serialized, .timeLimit(.minutes(3)))
final class SuperDBSyncTests {
    private let folder: TemporaryFolder
    private let account: URL

    init() throws {
        folder = try TemporaryFolder()
        account = folder.url.appendingPathComponent("Shared")
        SyncAccount.settingsFolder.withLock { [folder] in $0 = folder.url.appendingPathComponent("settings") }
    }

    deinit { SyncAccount.settingsFolder.withLock { $0 = nil } }

    private static let dataChanged = NSNotification.Name("DataChanged")

    /// A device's program: a context on the main queue with a list of heroes, and a store that comes later.
    @MainActor
    private final class Device {
        let folder: URL
        let coordinator: NSPersistentStoreCoordinator
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        private var tokens: [any NSObjectProtocol] = []
        private(set) var changes = 0

        /// A program with the current version of the model, or one of those before.
        init(_ folder: URL, version: String? = nil) throws {
            self.folder = folder
            var project = URL(fileURLWithPath: #filePath)
            for _ in 0..<3 { project.deleteLastPathComponent() }
            let package = project.appendingPathComponent("Examples/SuperDB/Sources/Model/SuperDB.xcdatamodeld")
            let source = version.map { package.appendingPathComponent("\($0).xcdatamodel") } ?? package
            let model = try #require(NSManagedObjectModel(contentsOf: source))
            for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
            for attribute in model.entities.flatMap(\.attributesByName.values)
            where attribute.valueTransformerName != nil {
                attribute.valueTransformerName = nil
            }
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            context.persistentStoreCoordinator = coordinator
        }

        /// Attaches the store, as the program does on a background queue at its start.
        func attach() throws {
            let center = NotificationCenter.default
            tokens.append(
                center.addObserver(
                    forName: .NSPersistentStoreDidImportUbiquitousContentChanges, object: coordinator, queue: nil
                ) { [context] note in
                    context.perform {
                        context.mergeChanges(fromContextDidSave: note)
                        NotificationCenter.default.post(name: dataChanged, object: context)
                    }
                })
            tokens.append(
                center.addObserver(forName: dataChanged, object: context, queue: nil) { [weak self] _ in
                    MainActor.assumeIsolated { self?.changes += 1 }
                })
            var options: [AnyHashable: Any] = [
                NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
                NSInferMappingModelAutomaticallyOption: true as NSNumber,
            ]
            if FileManager.default.url(forUbiquityContainerIdentifier: "iCloud.com.ozapps.SuperDB") != nil {
                options[NSPersistentStoreUbiquitousContentNameKey] = "iCloud~com~ozapps~SuperDB"
                options[NSPersistentStoreUbiquitousContainerIdentifierKey] = "iCloud.com.ozapps.SuperDB"
                options[NSPersistentStoreUbiquitousContentURLKey] = "Logs"
                options[NSPersistentHistoryTrackingKey] = true as NSNumber
            }
            let data = folder.appendingPathComponent("Data.nosync")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            try coordinator.addPersistentStore(
                type: .sqlite, at: data.appendingPathComponent("SuperDB.sqlite"), options: options)
        }

        func list() throws -> NSFetchedResultsController<NSManagedObject> {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        }

        func names() throws -> [String] {
            let list = try list()
            try list.performFetch()
            return (list.fetchedObjects ?? []).compactMap { $0.value(forKey: "name") as? String }
        }

        func becomes(_ expected: [String]) async throws {
            while try names() != expected { try await Task.sleep(for: .milliseconds(20)) }
        }

        func close() throws {
            for token in tokens { NotificationCenter.default.removeObserver(token) }
            tokens = []
            context.reset()
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }

    /// The files in the account's container, by the folder that travels.
    private func logs() throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: account.path).filter {
                $0.contains("/Logs/iCloud~com~ozapps~SuperDB/")
            })
    }

    @Test(
        "a list is empty before its store is attached, and follows the other device afterwards (SAMPLE-06, SYNC-02, SYNC-04, SYNC-05)"
    )
    @MainActor func heroesTravel() async throws {
        try SyncAccount.signIn(account)
        let (a, b) = (
            try Device(folder.url.appendingPathComponent("A")), try Device(folder.url.appendingPathComponent("B"))
        )
        #expect(try b.names() == [])
        try a.attach()
        try b.attach()
        let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: a.context)
        hero.setValue("Alpha", forKey: "name")
        try a.context.save()
        try await b.becomes(["Alpha"])
        while b.changes == 0 { try await Task.sleep(for: .milliseconds(10)) }
        // Each save appends to the log: a change, then a deletion, which the other device replays.
        let inserted = try logs()
        hero.setValue("Beta", forKey: "name")
        try a.context.save()
        try await b.becomes(["Beta"])
        let updated = try logs()
        #expect(!updated.isSubset(of: inserted))
        a.context.delete(hero)
        try a.context.save()
        try await b.becomes([])
        #expect(!(try logs().isSubset(of: updated)))
        let shared = try FileManager.default.subpathsOfDirectory(atPath: account.path)
        #expect(!shared.contains { $0.contains("nosync") || $0.contains("sqlite") })
        try a.close()
        try b.close()
    }

    @Test("a device whose files are gone refills its list after a restart (SAMPLE-06, SYNC-06)")
    @MainActor func wipedDeviceRefills() async throws {
        try SyncAccount.signIn(account)
        let (a, b) = (
            try Device(folder.url.appendingPathComponent("A")), try Device(folder.url.appendingPathComponent("B"))
        )
        try a.attach()
        try b.attach()
        for name in ["Alpha", "Bolt"] {
            NSEntityDescription.insertNewObject(forEntityName: "Hero", into: a.context).setValue(name, forKey: "name")
        }
        try a.context.save()
        try await b.becomes(["Alpha", "Bolt"])
        try a.close()
        try FileManager.default.removeItem(at: a.folder)
        let again = try Device(a.folder)
        #expect(try again.names() == [])
        try again.attach()
        try await again.becomes(["Alpha", "Bolt"])
        try again.close()
        try b.close()
    }

    @Test(
        "without an account the same program has a local store, migrated from an earlier version (SAMPLE-06, SYNC-07)")
    @MainActor func localStore() throws {
        let former = try Device(folder.url.appendingPathComponent("A"), version: "SuperDB")
        try former.attach()
        NSEntityDescription.insertNewObject(forEntityName: "Hero", into: former.context).setValue(
            "Bolt", forKey: "name")
        try former.context.save()
        try former.close()
        let device = try Device(former.folder)
        try device.attach()
        NSEntityDescription.insertNewObject(forEntityName: "Hero", into: device.context).setValue(
            "Alpha", forKey: "name")
        try device.context.save()
        #expect(try device.names() == ["Alpha", "Bolt"])
        #expect(device.coordinator.managedObjectModel.entitiesByName["Power"] != nil)
        #expect(!FileManager.default.fileExists(atPath: account.path))
        try device.close()
    }
}
