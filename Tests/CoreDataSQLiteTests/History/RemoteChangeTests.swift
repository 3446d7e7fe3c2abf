import CoreData
import CoreDataTestSupport
import Synchronization
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

    @Test("CTX-34: own and others' commits are told of, each once, with the place that they led to")
    func commitsAreTold() throws {
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

    @Test("without the option nobody is told") func nobodyIsToldUnasked() throws {
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

    @Test("a store without history tells of commits without a token") func storesWithoutHistoryTell() throws {
        let scene = try HistoryScene()
        try scene.open([NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
        let notices = Notices(scene.coordinator)
        let other = try Stack(scene.model, url: scene.url)
        other.context.insert("Hero", ["name": "other"])
        try other.context.save()
        eventually("the save to be told of") { !notices.tokens.isEmpty }
        #expect(notices.tokens == [nil])
    }

    @Test("CTX-34: a context that merges changes by itself follows others' saves, deletions and batches")
    func contextsFollow() throws {
        let scene = try HistoryScene()
        scene.context.insert("Hero", ["name": "Ann"])
        scene.context.insert("Hero", ["name": "Bob"])
        try scene.context.save()
        let follower = NSManagedObjectContext(.privateQueue)
        follower.persistentStoreCoordinator = scene.coordinator
        follower.performAndWait { follower.automaticallyMergesChangesFromParent = true }
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
