import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

/// Typed messages, beside the notifications that they stand for.
@Suite(.timeLimit(.minutes(20))) struct MessageTests {
    @Test("messages of a main-queue context come on the main actor, while the poster waits (CTX-17)")
    @MainActor func mainActorMessages() throws {
        let scene = try MergeScene(.inMemory)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = scene.stack.coordinator
        let heard = Heard()
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(of: context, for: .didSave) { message in
                heard.add(
                    "save \(message.inserted.count) \(message.updated.count) \(message.deleted.count)")
            },
            center.addObserver(of: context, for: NSManagedObjectContext.ObjectsDidChangeMessage.self) {
                message in
                heard.add(
                    "change \(message.updated.count) \(message.refreshed.count) \(message.invalidated.count)")
            },
            center.addObserver(of: context, for: .didSaveObjectIDs) { message in
                heard.add("identifiers \(message.updatedIDs.count) \(message.context === context)")
            },
            center.addObserver(of: NSManagedObjectContext.self, for: .didMergeChanges) { message in
                if message.context === context { heard.add("merge \(message.insertedIDs.count)") }
            },
        ]
        try context.hero("Ann").name = "Anne"
        try context.save()
        #expect(heard.all == ["change 1 0 0", "save 0 1 0", "identifiers 1 true"])
        let cid = scene.theirs.insert("Hero", ["name": "Cid"])
        try scene.theirs.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectsKey: [cid.objectID]], into: [context])
        #expect(heard.all.suffix(2) == ["change 0 0 0", "merge 1"])
        for token in tokens { center.removeObserver(token) }
        try context.hero("Bob").name = "Bert"
        try context.save()
        #expect(heard.all.count == 5)
    }

    @Test("messages of private-queue contexts come in order, and end with the token (CTX-17)")
    func asyncMessages() async throws {
        let scene = try MergeScene(.inMemory)
        let (heard, context) = (Heard(), scene.mine)
        var token: NotificationCenter.ObservationToken? = NotificationCenter.default.addObserver(
            of: context, for: .didSaveObjectIDsAsync
        ) { message in heard.add("\(message.insertedIDs.count)") }
        let unheard = NotificationCenter.default.addObserver(of: context, for: .didSaveObjectIDs) { _ in
            heard.add("?")
        }
        for count in 1...9 {
            for _ in 0..<count { context.insert("Hero", ["name": "x"]) }
            try context.save()
        }
        await heard.wait(for: 9)
        #expect(heard.all == (1...9).map { "\($0)" })
        withExtendedLifetime(token) {}
        token = nil
        context.insert("Hero", ["name": "x"])
        try context.save()
        let last = NotificationCenter.default.addObserver(of: context, for: .didMergeChangesAsync) {
            message in
            heard.add("merge \(message.updatedIDs.count)")
        }
        try scene.theirs.hero("Ann").name = "Anne"
        try scene.saveAndMerge()
        await heard.wait(for: 10)
        #expect(heard.all.last == "merge 1" && heard.all.count == 10)
        withExtendedLifetime((unheard, last)) {}
    }

    @Test(
        "messages of coordinators, posted as notifications and as messages, reach each observer once (CTX-35)"
    )
    @MainActor func coordinatorMessages() async throws {
        let heard = Heard()
        let (folder, center) = (try TemporaryFolder(), NotificationCenter.default)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        // Observers of every notification must live with typed messages.
        let everything = center.addObserver(forName: nil, object: coordinator, queue: nil) { _ in
            heard.add("any")
        }
        let board = NoticeBoard(.NSPersistentStoreRemoteChange, of: coordinator)
        let tokens = [
            center.addObserver(of: coordinator, for: .storesDidChange) {
                heard.add("main \($0.addedStores.count)")
            },
            center.addObserver(of: coordinator, for: .storesDidChangeAsync) {
                heard.add("async \($0.addedStores.count) \($0.removedStores.count)")
            },
            center.addObserver(of: coordinator, for: .remoteChange) { heard.add($0.storeUUID ?? "?") },
        ]
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil,
            at: folder.url.appendingPathComponent("x"))
        await heard.wait(for: 3)
        #expect(heard.all.sorted() == ["any", "async 1 0", "main 1"])
        let message = try #require(
            NSPersistentStoreCoordinator.RemoteChangeMessage.makeMessage(
                Notification(
                    name: .NSPersistentStoreRemoteChange, object: coordinator,
                    userInfo: [NSStoreUUIDKey: "A", NSPersistentStoreURLKey: folder.url])))
        #expect(message.storeURL == folder.url)
        center.post(message, subject: coordinator)
        await heard.wait(for: 5)
        #expect(heard.all.count == 5 && heard.all.contains("A"))
        #expect(board.all.map { $0.userInfo?[NSStoreUUIDKey] as? String } == ["A"])
        center.removeObserver(everything)
        withExtendedLifetime((tokens, store)) {}
    }

    @Test("each message names its context and what was inserted, changed and deleted (CTX-17)")
    @MainActor func messagesTellAll() throws {
        let scene = try MergeScene(.inMemory)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = scene.stack.coordinator
        let (heard, center) = (Heard(), NotificationCenter.default)
        let tokens = [
            center.addObserver(of: context, for: NSManagedObjectContext.ObjectsDidChangeMessage.self) {
                heard.add(
                    "change \($0.context === context) \($0.inserted.count) \($0.updated.count) \($0.deleted.count)")
            },
            center.addObserver(of: context, for: .didSave) { heard.add("save \($0.context === context)") },
            center.addObserver(of: context, for: .didSaveObjectIDs) {
                heard.add("identifiers \($0.insertedIDs.count) \($0.updatedIDs.count) \($0.deletedIDs.count)")
            },
            center.addObserver(of: context, for: .didMergeChanges) {
                heard.add("merge \($0.insertedIDs.count) \($0.updatedIDs.count) \($0.deletedIDs.count)")
            },
        ]
        let (ann, bob) = (try context.hero("Ann"), try context.hero("Bob"))
        context.insert("Hero", ["name": "Cid"])
        ann.name = "Anne"
        context.delete(bob)
        try context.save()
        #expect(heard.all == ["change true 1 1 1", "save true", "identifiers 1 1 1"])
        let (new, old) = (scene.theirs.insert("Hero", ["name": "Dan"]), try scene.theirs.hero("Cid"))
        try scene.theirs.hero("Anne").name = "Ann"
        let updated = try scene.theirs.hero("Ann").objectID
        scene.theirs.delete(old)
        let deleted = old.objectID
        try scene.theirs.save()
        #expect(
            NSManagedObjectContext.didMergeChangesObjectIDsNotification
                == .NSManagedObjectContextDidMergeChangesObjectIDs)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectsKey: [new.objectID], NSUpdatedObjectsKey: [updated], NSDeletedObjectsKey: [deleted],
            ], into: [context])
        #expect(heard.all.last == "merge 1 1 1")
        for token in tokens { center.removeObserver(token) }
    }

    @Test("the same of a context on a private queue, in the messages that come later (CTX-17)")
    func asyncMessagesTellAll() async throws {
        let scene = try MergeScene(.inMemory)
        let (heard, context, center) = (Heard(), scene.mine, NotificationCenter.default)
        let tokens = [
            center.addObserver(of: context, for: .didSaveObjectIDsAsync) {
                heard.add(
                    "\($0.context === context) \($0.insertedIDs.count) \($0.updatedIDs.count) \($0.deletedIDs.count)")
            },
            center.addObserver(of: context, for: .didMergeChangesAsync) {
                heard.add(
                    "\($0.context === context) \($0.insertedIDs.count) \($0.updatedIDs.count) \($0.deletedIDs.count)")
            },
        ]
        context.insert("Hero", ["name": "Cid"])
        try context.hero("Ann").name = "Anne"
        context.delete(try context.hero("Bob"))
        try context.save()
        await heard.wait(for: 1)
        #expect(heard.all == ["true 1 1 1"])
        scene.theirs.insert("Hero", ["name": "Dan"])
        try scene.theirs.hero("Anne").name = "Ann"
        scene.theirs.delete(try scene.theirs.hero("Cid"))
        try scene.saveAndMerge()
        await heard.wait(for: 2)
        #expect(heard.all.last == "true 1 1 1")
        withExtendedLifetime(tokens) {}
    }

    @Test("messages of coordinators have the stores that were added, removed and renamed (CTX-35)")
    @MainActor func storeMessagesHaveAllStores() async throws {
        let (heard, center) = (Heard(), NotificationCenter.default)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        let tokens = [
            center.addObserver(of: coordinator, for: .storesDidChange) {
                heard.add(
                    "main \($0.persistentStoreCoordinator === coordinator) \($0.addedStores.count) "
                        + "\($0.removedStores.count) \($0.uuidChangedStores.count)")
            },
            center.addObserver(of: coordinator, for: .storesDidChangeAsync) {
                heard.add(
                    "async \($0.persistentStoreCoordinator === coordinator) \($0.addedStores.count) "
                        + "\($0.removedStores.count) \($0.uuidChangedStores.count)")
            },
        ]
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try coordinator.remove(store)
        await heard.wait(for: 4)
        #expect(heard.all.sorted() == ["async true 0 1 0", "async true 1 0 0", "main true 0 1 0", "main true 1 0 0"])
        withExtendedLifetime(tokens) {}
    }

    /// What observers have heard.
    private final class Heard: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }

        func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
            await eventually("\(count) messages", sourceLocation: sourceLocation) { all.count >= count }
        }
    }
}
