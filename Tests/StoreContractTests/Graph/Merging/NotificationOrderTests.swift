import CoreData
import StoreContract
import Testing

/// In which order contexts post their notifications, and what each has: the table of Docs/Concurrency.md.
@Suite("Order of notifications")
struct NotificationOrderTests {
    private typealias Name = NSNotification.Name

    private static func board(_ context: NSManagedObjectContext) -> NoticeBoard {
        NoticeBoard(
            .NSManagedObjectContextWillSave, .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSave,
            .NSManagedObjectContextDidSaveObjectIDs, .NSManagedObjectContextDidMergeChangesObjectIDs, of: context)
    }

    @Test("a save ends the event, then posts that it begins, what changed on the way, and that it is done (CTX-17)")
    func saveEndsEventThenPostsThatItBegins() throws {
        let scene = try MergeScene(.sqlite)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        let board = Self.board(scene.mine)
        nonisolated(unsafe) let other = bob
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextWillSave, object: scene.mine, queue: nil
        ) { _ in other.strength = 9 }
        defer { NotificationCenter.default.removeObserver(token) }
        ann.strength = 7
        try scene.mine.save()
        #expect(
            board.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSave,
                .NSManagedObjectContextDidSaveObjectIDs,
            ])
        #expect(board.keys[0] == ["updated"] && board.all[0].userInfo?["updated"] as? Set<NSManagedObject> == [ann])
        #expect(board.all[1].userInfo?.isEmpty ?? true)
        #expect(board.all[2].userInfo?["updated"] as? Set<NSManagedObject> == [bob])
        #expect(board.all[3].userInfo?["updated"] as? Set<NSManagedObject> == [ann, bob])
        #expect(board.all[4].userInfo?["updated_objectIDs"] as? Set<NSManagedObjectID> == [ann.objectID, bob.objectID])
    }

    @Test("what is processed before a save is not posted again by it (CTX-17)")
    func savedAfterProcessing() throws {
        let scene = try MergeScene(.sqlite)
        let ann = try scene.mine.hero("Ann")
        let board = Self.board(scene.mine)
        ann.strength = 7
        scene.mine.processPendingChanges()
        try scene.mine.save()
        #expect(
            board.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
                .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
            ])
    }

    /// Changes every kind of thing in `theirs`, and gives what `mine` has of it.
    private func change(_ scene: MergeScene) throws -> (ann: Hero, bob: Hero) {
        let mine = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        scene.theirs.insert("Hero", ["name": "Cid"])
        try scene.theirs.hero("Ann").strength = 8
        scene.theirs.delete(try scene.theirs.hero("Bob"))
        return mine
    }

    private func expectMerge(_ board: NoticeBoard, _ heroes: (ann: Hero, bob: Hero)) {
        #expect(
            board.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs,
            ])
        guard board.all.count == 2 else { return }
        let sets = board.all[0].userInfo ?? [:]
        let inserted = sets["inserted"] as? Set<NSManagedObject>
        #expect(inserted?.map { $0.value(forKey: "name") as? String } == ["Cid"])
        #expect((sets["refreshed"] as? Set<NSManagedObject>)?.contains(heroes.ann) == true)
        #expect(sets["deleted"] as? Set<NSManagedObject> == [heroes.bob])
        #expect(sets["updated"] == nil)
        let identifiers = board.all[1].userInfo ?? [:]
        #expect((identifiers["inserted_objectIDs"] as? Set<NSManagedObjectID>)?.count == 1)
        #expect((identifiers["deleted_objectIDs"] as? Set<NSManagedObjectID>) == [heroes.bob.objectID])
    }

    @Test("a merge by hand is one change of objects, then one merge of identifiers (CTX-17)", arguments: StoreKind.all)
    func mergeByHand(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let heroes = try change(scene)
        let board = Self.board(scene.mine)
        try scene.saveAndMerge()
        expectMerge(board, heroes)
    }

    @Test("one save that a context merges automatically is one change there (CTX-17)", arguments: [false, true])
    func automaticMerge(history: Bool) throws {
        let model = try MergeScene(.sqlite).stack.model
        let stack = try Stack(
            model, kind: .sqlite,
            options: history
                ? [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
                : nil)
        let writer = stack.newContext()
        writer.insert("Hero", ["name": "Ann", "strength": 1])
        writer.insert("Hero", ["name": "Bob", "strength": 2])
        try writer.save()
        let mine = stack.newContext()
        mine.automaticallyMergesChangesFromParent = true
        let theirs = stack.newContext()
        let heroes = try mine.performAndWait { (try mine.hero("Ann"), try mine.hero("Bob")) }
        let board = Self.board(mine)
        try theirs.performAndWait {
            theirs.insert("Hero", ["name": "Cid"])
            try theirs.hero("Ann").strength = 8
            theirs.delete(try theirs.hero("Bob"))
            try theirs.save()
        }
        mine.performAndWait {}
        // What would come from the watch on the file has had its time once a second save is merged.
        mine.performAndWait { expectMerge(board, heroes) }
        try theirs.performAndWait {
            try theirs.hero("Ann").strength = 9
            try theirs.save()
        }
        mine.performAndWait {}
        #expect(board.names.filter { $0 == .NSManagedObjectContextObjectsDidChange }.count == 2)
    }

    @Test("objects of a batch deletion that is merged by identifiers are in one change, faults too (CTX-36)")
    func batchMerge() throws {
        let scene = try MergeScene(.sqlite)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        scene.mine.refresh(bob, mergeChanges: false)
        scene.mine.processPendingChanges()
        let board = Self.board(scene.mine)
        let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Hero"))
        request.resultType = .resultTypeObjectIDs
        let result = try scene.theirs.execute(request) as? NSBatchDeleteResult
        let identifiers = try #require(result?.result as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: identifiers], into: [scene.mine])
        #expect(
            board.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs,
            ])
        #expect(board.all[0].userInfo?["deleted"] as? Set<NSManagedObject> == [ann, bob])
        #expect(board.identifiers("deleted_objectIDs") == Set(identifiers))
    }

    @Test("a merge posts the context's own changes first (CTX-17)", arguments: StoreKind.all)
    func mergeIntoChangedContext(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let heroes = try change(scene)
        let board = Self.board(scene.mine)
        let own = scene.mine.insert("Hero", ["name": "Dan"])
        try scene.saveAndMerge()
        #expect(
            board.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextObjectsDidChange,
                .NSManagedObjectContextDidMergeChangesObjectIDs,
            ])
        #expect(board.keys[0] == ["inserted"] && board.all[0].userInfo?["inserted"] as? Set<NSManagedObject> == [own])
        #expect(board.all[1].userInfo?["deleted"] as? Set<NSManagedObject> == [heroes.bob])
        #expect((board.all[1].userInfo?["inserted"] as? Set<NSManagedObject>)?.contains(own) == false)
    }

    @Test("objects of a batch update that is merged by identifiers are in one change (CTX-36)")
    func batchUpdateMerge() throws {
        let scene = try MergeScene(.sqlite)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        let board = Self.board(scene.mine)
        let request = NSBatchUpdateRequest(entityName: "Hero")
        request.propertiesToUpdate = ["strength": 9]
        request.resultType = .updatedObjectIDsResultType
        let result = try scene.theirs.execute(request) as? NSBatchUpdateResult
        let identifiers = try #require(result?.result as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: identifiers], into: [scene.mine])
        #expect(
            board.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs,
            ])
        #expect(board.keys[0] == ["refreshed"])
        #expect(board.all[0].userInfo?["refreshed"] as? Set<NSManagedObject> == [ann, bob])
        #expect(board.identifiers("updated_objectIDs") == Set(identifiers))
        #expect(ann.strength == 9 && bob.strength == 9)
    }

    @Test("a child's save is one change of its parent's objects (CTX-17)", arguments: StoreKind.all)
    func childSave(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let ann = try scene.mine.hero("Ann")
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = scene.mine
        let copy = try child.hero("Ann")
        let (board, childs) = (Self.board(scene.mine), Self.board(child))
        copy.strength = 9
        try child.save()
        #expect(
            childs.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
                .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
            ])
        #expect(childs.all[2].userInfo?["updated"] as? Set<NSManagedObject> == [copy])
        #expect(board.names == [.NSManagedObjectContextObjectsDidChange] && board.keys[0] == ["updated"])
        #expect(board.all[0].userInfo?["updated"] as? Set<NSManagedObject> == [ann])
        try scene.mine.save()
        #expect(
            board.names.dropFirst() == [
                .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
                .NSManagedObjectContextDidSaveObjectIDs,
            ])
        #expect(childs.all.count == 4)
    }

    @Test("a rollback posts refreshed and forgotten objects once (CTX-17)")
    func rollbackPostsRefreshedAndForgottenObjectsOnce() throws {
        let scene = try MergeScene(.sqlite)
        let ann = try scene.mine.hero("Ann")
        let board = Self.board(scene.mine)
        ann.strength = 7
        scene.mine.insert("Hero", ["name": "Cid"])
        scene.mine.processPendingChanges()
        scene.mine.rollback()
        #expect(board.names == [.NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextObjectsDidChange])
        #expect(board.keys[0] == ["inserted", "updated"])
        #expect(board.all[1].userInfo?["refreshed"] as? Set<NSManagedObject> == [ann])
    }

    @Test("a reset posts that all objects are invalid, and nothing else (CTX-17)")
    func resetPostsThatAllObjectsAreInvalid() throws {
        let scene = try MergeScene(.sqlite)
        let ann = try scene.mine.hero("Ann")
        ann.strength = 7
        let board = Self.board(scene.mine)
        let identifier = ann.objectID
        scene.mine.reset()
        #expect(board.names == [.NSManagedObjectContextObjectsDidChange])
        #expect(board.keys == [["invalidatedAll"]])
        #expect((board.all[0].userInfo?["invalidatedAll"] as? [NSManagedObjectID])?.contains(identifier) == true)
    }
}
