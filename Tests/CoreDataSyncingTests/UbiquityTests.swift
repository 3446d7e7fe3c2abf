import CoreData
import CoreDataSyncing
import StoreContract
import Synchronization
import TestBasics
import Testing

/// Stores that take part in sync by the options of Apple's framework.
@Suite("Sync by store options", .serialized, .timeLimit(.minutes(3)))
final class UbiquityTests {
    private let folder: TemporaryFolder
    private let account: URL

    init() throws {
        folder = try TemporaryFolder()
        account = folder.url.appendingPathComponent("Shared")
        SyncAccount.settingsFolder.withLock { [folder] in $0 = folder.url.appendingPathComponent("settings") }
    }

    deinit { SyncAccount.settingsFolder.withLock { $0 = nil } }

    /// A device: a program's files, and its coordinator while it runs.
    private final class Device {
        let file: URL
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SyncModel.make())
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        private(set) var store: NSPersistentStore?

        init(_ folder: URL, _ options: [AnyHashable: Any] = [:]) throws {
            let data = folder.appendingPathComponent("Data.nosync")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            file = data.appendingPathComponent("SuperDB.sqlite")
            context.persistentStoreCoordinator = coordinator
            let usual: [AnyHashable: Any] = [
                NSPersistentStoreUbiquitousContentNameKey: "iCloud~com~ozapps~SuperDB",
                NSPersistentStoreUbiquitousContentURLKey: "Logs", NSPersistentHistoryTrackingKey: true as NSNumber,
                NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
                NSInferMappingModelAutomaticallyOption: true as NSNumber,
            ]
            store = try coordinator.addPersistentStore(
                type: .sqlite, at: file, options: usual.merging(options) { $1 })
        }

        func insert(_ label: String, _ values: [String: Any] = [:]) throws {
            try context.performAndWait {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
                object.setValue(label, forKey: "label")
                for (key, value) in values { object.setValue(value, forKey: key) }
                try context.save()
            }
        }

        func labels() throws -> [String] { try Self.labels(of: coordinator) }

        /// The labels of the owners that the stores have by now.
        static func labels(of coordinator: NSPersistentStoreCoordinator) throws -> [String] {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
                return try context.fetch(request).compactMap { $0.value(forKey: "label") as? String }.sorted()
            }
        }

        /// Waits until the store has these objects; the suite has a limit of time.
        func becomes(_ expected: [String]) async throws {
            while try labels() != expected { try await Task.sleep(for: .milliseconds(20)) }
        }

        func close() throws {
            context.performAndWait { context.reset() }
            if let store { try coordinator.remove(store) }
            store = nil
        }
    }

    private func device(_ name: String, _ options: [AnyHashable: Any] = [:]) throws -> Device {
        try Device(folder.url.appendingPathComponent(name), options)
    }

    @Test(
        "changes of one device are announced by the other's coordinator and merged by contexts (SYNC-03, SYNC-04, SYNC-05)"
    )
    func importedChangesAreAnnounced() async throws {
        try SyncAccount.signIn(account)
        let (a, b) = (try device("A"), try device("B"))
        let announced = Mutex<[Set<NSManagedObjectID>]>([])
        // A context that learns of changes from the notification alone, and has an unsaved edit.
        let list = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        list.persistentStoreCoordinator = b.coordinator
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreDidImportUbiquitousContentChanges, object: b.coordinator, queue: nil
        ) { note in
            let inserted = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObjectID> ?? []
            list.performAndWait { list.mergeChanges(fromContextDidSave: note) }
            announced.withLock { $0.append(inserted) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try b.insert("Own")
        let own = try list.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
            let object = try #require(try list.fetch(request).first)
            object.setValue("Edited", forKey: "label")
            return object
        }
        try a.insert("Hero")
        try await b.becomes(["Hero", "Own"])
        while announced.withLock({ $0.allSatisfy(\.isEmpty) }) { try await Task.sleep(for: .milliseconds(10)) }
        list.performAndWait {
            let identifiers = announced.withLock { $0 }.flatMap { $0 }
            let names = identifiers.compactMap { list.object(with: $0).value(forKey: "label") as? String }
            #expect(names.contains("Hero"))
            #expect(own.value(forKey: "label") as? String == "Edited" && own.hasChanges)
        }
        try await a.becomes(["Hero", "Own"])
        try a.close()
        try b.close()
        // Nothing of the store's own files travels: SYNC-04.
        let shared = try FileManager.default.subpathsOfDirectory(atPath: account.path)
        #expect(shared.contains { $0.contains("/Logs/iCloud~com~ozapps~SuperDB/") })
        #expect(!shared.contains { $0.contains("nosync") || $0.contains("sqlite") })
    }

    @Test("a device whose files are gone gets everything back by itself (SYNC-06)")
    func deletedDeviceIsRestored() async throws {
        try SyncAccount.signIn(account)
        let (a, b) = (try device("A"), try device("B"))
        try a.insert("Hero")
        try await b.becomes(["Hero"])
        try a.close()
        try FileManager.default.removeItem(at: a.file.deletingLastPathComponent())
        // Which coordinators have announced that they have everything, with what their stores had by then.
        let completed = Mutex<[ObjectIdentifier: [String]]>([:])
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorStoresDidChange, object: nil, queue: nil
        ) { note in
            let transition = note.userInfo?[NSPersistentStoreUbiquitousTransitionTypeKey] as? NSNumber
            guard transition?.uintValue == NSPersistentStoreUbiquitousTransitionType.initialImportCompleted.rawValue,
                let coordinator = note.object as? NSPersistentStoreCoordinator
            else { return }
            let labels = (try? Device.labels(of: coordinator)) ?? []
            completed.withLock { $0[ObjectIdentifier(coordinator)] = labels }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let again = try device("A")
        let name = ObjectIdentifier(again.coordinator)
        while completed.withLock({ $0[name] }) == nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(completed.withLock { $0[name] } == ["Hero"])
        try again.close()
        try b.close()
    }

    @Test(
        "without an account the store is a local one, and is sent once, without duplicates, after signing in (SYNC-07)")
    func localStoreIsSentOnce() async throws {
        #expect(FileManager.default.ubiquityIdentityToken == nil)
        #expect(FileManager.default.url(forUbiquityContainerIdentifier: nil) == nil)
        let local = try device("A")
        try local.insert("Hero", ["code": "h1"])
        try local.close()
        #expect(!FileManager.default.fileExists(atPath: account.path))
        try SyncAccount.signIn(account)
        let (a, b) = (try device("A"), try device("B"))
        // Both have seeded the same object.
        try b.insert("Hero", ["code": "h1"])
        try b.insert("Other", ["code": "h2"])
        try await a.becomes(["Hero", "Other"])
        try await b.becomes(["Hero", "Other"])
        try a.close()
        let again = try device("A")
        try again.insert("Third")
        try await b.becomes(["Hero", "Other", "Third"])
        #expect(try again.labels() == ["Hero", "Other", "Third"])
        try again.close()
        try b.close()
    }

    @Test("each account has a token and data of its own, and a change of the account is announced (SYNC-13)")
    func accountsAreNotMixed() async throws {
        let changes = Mutex(0)
        let token = NotificationCenter.default.addObserver(
            forName: .NSUbiquityIdentityDidChange, object: nil, queue: nil
        ) { _ in changes.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(token) }
        try SyncAccount.signIn(account)
        let first = try #require(FileManager.default.ubiquityIdentityToken)
        let one = try device("A")
        try one.insert("Of one")
        let twin = try device("Twin")
        try await twin.becomes(["Of one"])
        // The account changes while the store is open.
        try SyncAccount.signIn(folder.url.appendingPathComponent("Other"))
        try one.insert("Later of one")
        try one.close()
        try twin.close()
        let second = try #require(FileManager.default.ubiquityIdentityToken)
        #expect(!first.isEqual(second) && changes.withLock { $0 } == 2)
        let other = try device("A")
        try other.insert("Of the other")
        let friend = try device("B")
        try await friend.becomes(["Of the other"])
        // What came later than the other's changes would have come by then.
        try other.insert("Second of the other")
        try await friend.becomes(["Of the other", "Second of the other"])
        #expect(try other.labels() == ["Of the other", "Second of the other"])
        try other.close()
        try friend.close()
        try SyncAccount.signIn(account)
        #expect(first.isEqual(FileManager.default.ubiquityIdentityToken))
        let back = try device("A")
        #expect(try back.labels() == ["Later of one", "Of one"])
        try back.close()
        try SyncAccount.signOut()
        #expect(FileManager.default.ubiquityIdentityToken == nil && changes.withLock { $0 } == 4)
    }

    @Test("options that ask for what cannot be are refused, and sync is left and begun again by options (SYNC-03)")
    func optionsAreFollowed() async throws {
        try SyncAccount.signIn(account)
        for (key, value) in [
            (NSPersistentStoreUbiquitousContentNameKey, "a/b" as Any), (NSPersistentStoreUbiquitousContentNameKey, 1),
            (NSPersistentStoreUbiquitousContentURLKey, 1), (NSPersistentStoreUbiquitousContentURLKey, "../../up"),
        ] {
            let error = #expect(throws: NSError.self) { try device("Bad", [key: value]) }
            #expect(error?.code == NSPersistentStoreOpenError && error?.localizedDescription.contains(key) == true)
        }
        let (a, b) = (try device("A"), try device("B"))
        try a.insert("Hero")
        try await b.becomes(["Hero"])
        try b.close()
        // A file that no other device has sent anything of is not rebuilt.
        let alone: [AnyHashable: Any] = [
            NSPersistentStoreUbiquitousContentNameKey: "Alone",
            NSPersistentStoreRebuildFromUbiquitousContentOption: true,
        ]
        let single = try device("Single", alone)
        try single.insert("Only")
        try single.close()
        let kept = try device("Single", alone)
        #expect(try kept.labels() == ["Only"])
        try kept.close()
        // What was not sent is discarded with the file.
        let local = try device("B", [NSPersistentStoreRemoveUbiquitousMetadataOption: true])
        try local.insert("Local")
        try a.insert("Later")
        #expect(try local.labels() == ["Hero", "Local"])
        try local.close()
        let rebuilt = try device("B", [NSPersistentStoreRebuildFromUbiquitousContentOption: true])
        try await rebuilt.becomes(["Hero", "Later"])
        try rebuilt.close()
        try a.close()
        let options: [AnyHashable: Any] = [
            NSPersistentStoreUbiquitousContentNameKey: "iCloud~com~ozapps~SuperDB",
            NSPersistentStoreUbiquitousContentURLKey: "Logs",
        ]
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.removeUbiquitousContentAndPersistentStore(at: a.file)
        }
        try NSPersistentStoreCoordinator.removeUbiquitousContentAndPersistentStore(at: a.file, options: options)
        let left = try FileManager.default.subpathsOfDirectory(atPath: account.path)
        #expect(!left.contains { $0.hasSuffix(".ocsync") })
        // Without an account it removes the file alone.
        try SyncAccount.signOut()
        let signedOut = try device("C")
        try signedOut.insert("Hero")
        try signedOut.close()
        try NSPersistentStoreCoordinator.removeUbiquitousContentAndPersistentStore(at: signedOut.file, options: options)
        let emptied = try device("C")
        #expect(try emptied.labels() == [])
        try emptied.close()
    }
}
