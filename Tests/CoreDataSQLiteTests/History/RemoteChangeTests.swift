import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Commits of others are told of and followed; the others are coordinators of their own here, as another process has them.
@Suite struct RemoteChangeTests {
    /// The notifications of one coordinator.
    private final class Notices: @unchecked Sendable {
        private let noted = Mutex<[NSPersistentHistoryToken?]>([])
        private var observer: (any NSObjectProtocol)?
        private let uuids = Mutex<Set<String>>([])

        init(_ coordinator: NSPersistentStoreCoordinator) {
            observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
            ) { [weak self] notification in
                let userInfo = notification.userInfo ?? [:]
                self?.noted.withLock { $0.append(userInfo[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken) }
                guard userInfo[NSPersistentStoreURLKey] is URL, let uuid = userInfo[NSStoreUUIDKey] as? String else {
                    return
                }
                self?.uuids.withLock { _ = $0.insert(uuid) }
            }
        }

        deinit { observer.map(NotificationCenter.default.removeObserver) }

        var tokens: [NSPersistentHistoryToken?] { noted.withLock { $0 } }
        var stores: Set<String> { uuids.withLock { $0 } }
    }

    private static var following: [AnyHashable: Any] {
        [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    }

    private func other(
        _ scene: HistoryScene, options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: scene.model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: scene.url, options: options)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test("own and others' commits are notified, each once, with their tokens (CTX-34)")
    func commitsAreNotified() throws {
        let scene = try HistoryScene()
        try scene.open(Self.following)
        let notices = Notices(scene.coordinator)
        let other = try other(scene)
        scene.context.insert("Hero", ["name": "own"])
        try scene.context.save()
        eventually("the own save to be told of") { notices.tokens.count == 1 }
        other.insert("Hero", ["name": "other"])
        try other.save()
        eventually("the other's save to be told of") { notices.tokens.count == 2 }
        try other.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Hero")))
        eventually("the batch to be told of") { notices.tokens.count == 3 }
        let identifier = try #require(scene.store.identifier)
        #expect(notices.tokens == (1...3).map { NSPersistentHistoryToken([identifier: $0]) })
        #expect(notices.stores == [identifier])
        #expect(
            scene.coordinator.currentPersistentHistoryToken(fromStores: nil)
                == NSPersistentHistoryToken([identifier: 3]))
    }

    @Test("without the option no commit is notified") func commitsAreNotNotifiedUnasked() throws {
        let scene = try HistoryScene()
        let notices = Notices(scene.coordinator)
        let other = try other(scene, options: Self.following)
        let others = Notices(try #require(other.persistentStoreCoordinator))
        other.insert("Hero", ["name": "other"])
        try other.save()
        scene.context.insert("Hero", ["name": "own"])
        try scene.context.save()
        eventually("both saves to be told of where that was asked for") { others.tokens.count == 2 }
        #expect(scene.file.watch == nil && notices.tokens.isEmpty)
    }

    @Test("a store without history notifies of commits without a token") func storesWithoutHistoryNotify() throws {
        let scene = try HistoryScene()
        try scene.open([NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
        let notices = Notices(scene.coordinator)
        let other = try Stack(scene.model, url: scene.url)
        other.context.insert("Hero", ["name": "other"])
        try other.context.save()
        eventually("the save to be told of") { !notices.tokens.isEmpty }
        #expect(notices.tokens == [nil])
    }

    @Test("metadata that others write is notified once, without a token, and known from then on (CTX-34)")
    func metadataIsNotified() throws {
        let scene = try HistoryScene()
        try scene.open(Self.following)
        let notices = Notices(scene.coordinator)
        let other = try other(scene)
        let coordinator = try #require(other.persistentStoreCoordinator)
        func set(_ title: String) throws {
            coordinator.setMetadata(["title": title], for: coordinator.persistentStores[0])
            try other.save()
        }
        try set("one")
        eventually("the metadata to be told of") { notices.tokens == [nil] }
        #expect(scene.coordinator.metadata(for: scene.store)["title"] as? String == "one")
        other.insert("Hero", ["name": "other"])
        try other.save()
        let first = NSPersistentHistoryToken([scene.store.identifier: 1])
        eventually("the save to be told of") { notices.tokens == [nil, first] }
        // With objects it is one write, told of by its place in the history.
        other.insert("Hero", ["name": "another"])
        try set("two")
        let second = NSPersistentHistoryToken([scene.store.identifier: 2])
        eventually("both to be told of") { notices.tokens == [nil, first, second] }
        // The same again changes nothing, nor does what a reader of the history notes of itself.
        try set("two")
        try coordinator.markHistoryRead(through: first, by: "widget")
        try set("three")
        eventually("the last one to be told of") { notices.tokens == [nil, first, second, nil] }
        #expect(scene.coordinator.metadata(for: scene.store)["title"] as? String == "three")
        // An own write is told of too.
        scene.coordinator.setMetadata(["title": "own"], for: scene.store)
        try scene.context.save()
        eventually("the own one to be told of") { notices.tokens.count == 5 }
    }

    @Test("Metadata that two write keeps what each has set and removed, in whichever order they save")
    func metadataOfTwoIsKept() throws {
        let scene = try HistoryScene()
        let other = try other(scene)
        let there = try #require(other.persistentStoreCoordinator)
        func set(_ values: [String: Any], by coordinator: NSPersistentStoreCoordinator) throws {
            coordinator.setMetadata(values, for: coordinator.persistentStores[0])
            try (coordinator === there ? other : scene.context).save()
        }
        func stored() throws -> [String: String] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: scene.url)
                .filter { ["a", "b", "c"].contains($0.key) }.mapValues { "\($0)" }
        }
        try set(["a": "1", "c": "1"], by: scene.coordinator)
        // Opened before, it has not seen the other's yet.
        try set(["b": "1"], by: there)
        #expect(try stored() == ["a": "1", "b": "1", "c": "1"])
        #expect(there.metadata(for: there.persistentStores[0])["a"] as? String == "1")
        try set(["a": "2"], by: scene.coordinator)
        #expect(try stored() == ["a": "2", "b": "1"])
        try set(["a": "1", "b": "2"], by: there)
        #expect(try stored() == ["a": "2", "b": "2"])
        // Changes that are not saved yet stay, whatever others write.
        scene.coordinator.setMetadata(["a": "2", "b": "1", "c": "own"], for: scene.store)
        try set(["c": "other", "b": "3"], by: there)
        try scene.context.save()
        #expect(try stored() == ["b": "3", "c": "own"])
    }

    @Test("a reader of another process is waited for, and neither forgets how far the other is (CTX-34)")
    func readersOfOthers() throws {
        let scene = try HistoryScene()
        var options = HistoryScene.tracking
        let description = NSPersistentStoreDescription()
        description.historyRetention = PersistentHistoryRetention(maximumCount: 0, readers: ["app", "widget"])
        options[CoreDataHistoryRetentionOption] = description.options[CoreDataHistoryRetentionOption]
        try scene.open(options)
        let other = try other(scene)
        let there = try #require(other.persistentStoreCoordinator)
        for _ in 0..<4 {
            scene.context.insert("Hero")
            try scene.context.save()
        }
        let identifier = try #require(scene.store.identifier)
        func mark(_ number: Int64, _ reader: String, _ coordinator: NSPersistentStoreCoordinator) throws {
            try coordinator.markHistoryRead(through: NSPersistentHistoryToken([identifier: number]), by: reader)
        }
        try mark(3, "app", scene.coordinator)
        try mark(2, "widget", there)
        try mark(4, "app", scene.coordinator)
        // Behind what another coordinator has noted for the same reader.
        try mark(1, "widget", scene.coordinator)
        scene.context.insert("Hero")
        try scene.context.save()
        eventually("what both have read to go") { (try? scene.extent()) == HistoryExtent(oldest: 3, newest: 5) }
        try mark(5, "widget", there)
        scene.context.insert("Hero")
        try scene.context.save()
        eventually("the rest to go") { (try? scene.extent()) == HistoryExtent(oldest: 5, newest: 6) }
    }

    @Test(
        "a context that merges changes by itself follows others' saves, deletions and batches (CTX-34)",
        arguments: [true, false])
    func contextsFollow(whereWritesAreReported reportsWrites: Bool) throws {
        let scene = try HistoryScene()
        if !reportsWrites { scene.file.makeWatch = { _, _ in nil } }
        scene.context.insert("Hero", ["name": "Ann"])
        scene.context.insert("Hero", ["name": "Bob"])
        try scene.context.save()
        let follower = NSManagedObjectContext(.privateQueue)
        follower.persistentStoreCoordinator = scene.coordinator
        follower.performAndWait { follower.automaticallyMergesChangesFromParent = true }
        #expect((scene.file.watch != nil) == reportsWrites)
        let heroes = try follower.performAndWait { try follower.all("Hero", sortedBy: "name") }
        func names() -> [String?] {
            follower.performAndWait {
                heroes.map {
                    $0.isDeleted || $0.managedObjectContext == nil ? nil : $0.value(forKey: "name") as? String
                }
            }
        }
        #expect(names() == ["Ann", "Bob"])
        let other = try other(scene)
        let others = try other.all("Hero", sortedBy: "name")
        others[0].setValue("Anna", forKey: "name")
        try other.save()
        eventually("the new name") { names() == ["Anna", "Bob"] }
        other.delete(others[1])
        try other.save()
        eventually("the deletion") { names() == ["Anna", nil] }
        let update = NSBatchUpdateRequest(entityName: "Hero")
        update.propertiesToUpdate = ["name": "Anne"]
        try other.execute(update)
        eventually("the batch's name") { names() == ["Anne", nil] }
    }

    @Test("own saves between those of others hide none of these") func ownSavesHideNothing() throws {
        let scene = try HistoryScene()
        let hero = scene.context.insert("Hero", ["name": "Ann"])
        try scene.context.save()
        let follower = NSManagedObjectContext(.privateQueue)
        follower.persistentStoreCoordinator = scene.coordinator
        follower.performAndWait { follower.automaticallyMergesChangesFromParent = true }
        let other = try other(scene)
        let followed = try follower.performAndWait { try #require(try follower.all("Hero").first) }
        let theirs = try #require(try other.all("Hero").first)
        for number in 1...50 {
            theirs.setValue(number, forKey: "strength")
            try other.save()
            scene.context.insert("Team", ["name": "\(number)"])
            try scene.context.save()
        }
        eventually("the last value") {
            follower.performAndWait { followed.value(forKey: "strength") as? Int } == 50
        }
        #expect(hero.objectID == followed.objectID)
    }
}
