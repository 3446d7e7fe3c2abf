import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

/// What contexts tell of their changes and saves.
@Suite struct ContextNotificationTests {
    @Test(
        "a save posts its notifications once each, with exactly the objects concerned (CTX-17)",
        arguments: StoreKind.all)
    func savePostsItsNotificationsOnce(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let context = scene.mine
        let board = NoticeBoard(
            NSManagedObjectContext.willSaveObjectsNotification,
            NSManagedObjectContext.didChangeObjectsNotification,
            NSManagedObjectContext.didSaveObjectsNotification,
            NSManagedObjectContext.didSaveObjectIDsNotification,
            of: context)
        let (ann, bob) = (try context.hero("Ann"), try context.hero("Bob"))
        ann.name = "Anne"
        context.delete(bob)
        let cid = context.insert("Hero", ["name": "Cid"])
        let cancelled = context.insert("Hero", ["name": "No"])
        context.delete(cancelled)
        try context.save()
        #expect(
            board.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
                .NSManagedObjectContextDidSave,
                .NSManagedObjectContextDidSaveObjectIDs,
            ])
        #expect(board.all.allSatisfy { $0.object as? NSManagedObjectContext === context })
        let saved = try #require(board.all[2].userInfo)
        #expect(saved[NSInsertedObjectsKey] as? Set<NSManagedObject> == [cid])
        #expect(saved[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [ann])
        #expect(saved[NSDeletedObjectsKey] as? Set<NSManagedObject> == [bob])
        #expect(saved.count == 3)
        #expect(
            board.identifiers(NSInsertedObjectIDsKey) == [cid.objectID] && !cid.objectID.isTemporaryID)
        #expect(board.identifiers(NSUpdatedObjectIDsKey) == [ann.objectID])
        #expect(board.identifiers(NSDeletedObjectIDsKey) == [bob.objectID])
        let source = board.all[3].userInfo?[NSManagedObjectContext.NotificationKey.sourceContext.rawValue]
        #expect(source as? NSManagedObjectContext === context)
    }

    /// A test of CoreDataPlus (`test_Merge`) waits for the notification of such a save, and Apple's framework posts it.
    @Test("a save of nothing is notified, with empty sets (CTX-17)", arguments: StoreKind.all)
    func saveOfNothing(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let context = scene.mine
        let cancelled = context.insert("Hero", ["name": "No"])
        context.delete(cancelled)
        context.processPendingChanges()
        let board = NoticeBoard(
            .NSManagedObjectContextWillSave, .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSave,
            .NSManagedObjectContextDidSaveObjectIDs, of: context)
        try context.save()
        #expect(
            board.names == [
                .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
                .NSManagedObjectContextDidSaveObjectIDs,
            ])
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
            #expect(board.all[1].userInfo?[key] as? Set<NSManagedObject> == [])
        }
        #expect(board.keys[2] == ["managedObjectContext"])
        scene.theirs.mergeChanges(fromContextDidSave: board.all[1])
        #expect(!scene.theirs.hasChanges && cancelled.managedObjectContext == nil)
    }

    @Test("what is changed when a save is announced is saved with it (CTX-17)", arguments: StoreKind.all)
    func changeBeforeSave(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let ann = try scene.mine.hero("Ann")
        nonisolated(unsafe) let hero = ann
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextWillSave, object: scene.mine, queue: nil
        ) { _ in hero.strength = 9 }
        defer { NotificationCenter.default.removeObserver(token) }
        try scene.mine.save()
        #expect(!scene.mine.hasChanges)
        #expect(try scene.stack.newContext().hero("Ann").strength == 9)
    }

    @Test(
        "each processed event is notified once, with refreshed and invalidated objects (CTX-17)",
        arguments: StoreKind.all)
    func eachProcessedEventIsNotifiedOnce(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: scene.mine)
        ann.strength = 7
        scene.mine.refresh(bob, mergeChanges: false)
        #expect(board.all.isEmpty)
        scene.mine.processPendingChanges()
        scene.mine.processPendingChanges()
        #expect(board.keys == [["refreshed", "updated"]])
        #expect(
            board.objects(NSUpdatedObjectsKey) == [ann] && board.objects(NSRefreshedObjectsKey) == [bob])
        scene.mine.reset()
        #expect(board.keys.last == ["invalidatedAll"])
        let all = board.all.last?.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
        #expect(all.map { Set($0) } == [ann.objectID, bob.objectID])
    }

    @Test(
        "a handler for the main queue runs there, and the poster waits for it (CTX-33)",
        .timeLimit(.minutes(20)))
    func mainQueueHandler() async throws {
        let scene = try MergeScene(.inMemory)
        let context = scene.mine
        let seen = Mutex<[Bool]>([])
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSaveObjectIDs, object: context, queue: .main
        ) { _ in
            let isMain = DispatchQueue.getSpecific(key: Self.mainMark) == true
            seen.withLock { $0.append(isMain) }
        }
        DispatchQueue.main.setSpecific(key: Self.mainMark, value: true)
        try await context.perform {
            try context.hero("Ann").name = "Anne"
            try context.save()
            #expect(seen.withLock { $0 } == [true])
        }
        NotificationCenter.default.removeObserver(token)
    }

    @Test(
        "a handler that passes the merge to another queue lets the poster go on (CTX-33)",
        .timeLimit(.minutes(20)))
    func posterGoesOn() throws {
        let scene = try MergeScene(.inMemory)
        let (mine, theirs) = (scene.mine, scene.theirs)
        let merged = NoticeBoard(.NSManagedObjectContextDidMergeChangesObjectIDs, of: mine)
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: theirs, queue: nil
        ) { notification in
            nonisolated(unsafe) let notification = notification
            mine.perform { mine.mergeChanges(fromContextDidSave: notification) }
        }
        let gate = DispatchSemaphore(value: 0)
        mine.perform { gate.wait(for: "the end of the save") }
        try theirs.performAndWait {
            try theirs.hero("Ann").name = "Anne"
            try theirs.save()
        }
        #expect(merged.all.isEmpty)
        gate.signal()
        mine.performAndWait {}
        #expect(merged.all.count == 1)
        NotificationCenter.default.removeObserver(token)
    }

    @Test("the names and keys are those of Apple's framework (CTX-17)")
    func namesAndKeysAreThoseOfApplesFramework() {
        let keys = NSManagedObjectContext.NotificationKey.self
        #expect(
            keys.insertedObjects.rawValue == NSInsertedObjectsKey && NSInsertedObjectsKey == "inserted")
        #expect(keys.updatedObjects.rawValue == NSUpdatedObjectsKey && NSUpdatedObjectsKey == "updated")
        #expect(keys.deletedObjects.rawValue == NSDeletedObjectsKey && NSDeletedObjectsKey == "deleted")
        #expect(
            keys.refreshedObjects.rawValue == NSRefreshedObjectsKey
                && NSRefreshedObjectsKey == "refreshed")
        #expect(
            keys.invalidatedObjects.rawValue == NSInvalidatedObjectsKey
                && NSInvalidatedObjectsKey == "invalidated")
        #expect(keys.invalidatedAllObjects.rawValue == NSInvalidatedAllObjectsKey)
        #expect(
            keys.insertedObjectIDs.rawValue == NSInsertedObjectIDsKey
                && NSInsertedObjectIDsKey == "inserted_objectIDs")
        #expect(
            keys.updatedObjectIDs.rawValue == NSUpdatedObjectIDsKey
                && NSUpdatedObjectIDsKey == "updated_objectIDs")
        #expect(
            keys.deletedObjectIDs.rawValue == NSDeletedObjectIDsKey
                && NSDeletedObjectIDsKey == "deleted_objectIDs")
        #expect(keys.refreshedObjectIDs.rawValue == NSRefreshedObjectIDsKey)
        #expect(keys.invalidatedObjectIDs.rawValue == NSInvalidatedObjectIDsKey)
        #expect(keys.queryGeneration.rawValue == NSManagedObjectContextQueryGenerationKey)
        #expect(
            NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs.rawValue
                == "NSManagedObjectContextDidSaveObjectIDsNotification")
    }

    private static let mainMark = DispatchSpecificKey<Bool>()
}
