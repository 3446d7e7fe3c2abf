import CoreData
import StoreContract
import Testing

/// Merging what another context of the same coordinator has saved.
@Suite struct MergingTests {
    @Test(
        "contexts see what others saved, and keep what they have loaded until they merge (CTX-06)",
        arguments: StoreKind.all)
    func separateUntilMerged(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, other) = (try scene.mine.hero("Ann"), try scene.theirs.hero("Ann"))
        other.name = "Anne"
        scene.theirs.insert("Hero", ["name": "Cid"])
        #expect(ann.name == "Ann" && !scene.mine.hasChanges)
        #expect(try scene.mine.all("Hero").count == 2)
        try scene.theirs.save()
        #expect(try scene.mine.all("Hero").count == 3)
        #expect(ann.name == "Ann")
        scene.mine.refresh(ann, mergeChanges: true)
        #expect(ann.name == "Anne")
    }

    @Test("updates are refreshed, insertions registered, deletions marked (CTX-18)", arguments: StoreKind.all)
    func allKinds(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        let other = try scene.theirs.hero("Ann")
        other.name = "Anne"
        let cid = scene.theirs.insert("Hero", ["name": "Cid"])
        scene.theirs.delete(try scene.theirs.hero("Bob"))
        let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: scene.mine)
        let merged = NoticeBoard(.NSManagedObjectContextDidMergeChangesObjectIDs, of: scene.mine)
        ann.log = []
        try scene.saveAndMerge()
        #expect(ann.name == "Anne" && ann.log == ["snapshot \(NSSnapshotEventType.refresh.rawValue)"])
        #expect(bob.isDeleted && scene.mine.deletedObjects == [bob] && !bob.hasChanges && !scene.mine.hasChanges)
        #expect(scene.mine.registeredObject(for: bob.objectID) === bob && bob.name == "Bob")
        #expect(board.keys == [["deleted", "inserted", "refreshed"]])
        #expect(board.objects(NSRefreshedObjectsKey) == [ann] && board.objects(NSDeletedObjectsKey) == [bob])
        let arrival = try #require(board.objects(NSInsertedObjectsKey).first)
        #expect(arrival.objectID == cid.objectID && arrival.isFault && !arrival.isInserted)
        #expect(arrival.value(forKey: "name") as? String == "Cid")
        #expect(
            merged.keys == [
                [
                    "deleted_objectIDs", "inserted_objectIDs", "managedObjectContext", "refreshed_objectIDs",
                    "updated_objectIDs",
                ]
            ])
        let source = merged.all[0].userInfo?[NSManagedObjectContext.NotificationKey.sourceContext.rawValue]
        #expect(source as? NSManagedObjectContext === scene.mine)
        #expect(merged.identifiers(NSUpdatedObjectIDsKey) == [ann.objectID])
        #expect(merged.identifiers(NSRefreshedObjectIDsKey) == [ann.objectID])
        #expect(merged.identifiers(NSInsertedObjectIDsKey) == [cid.objectID])
        #expect(merged.identifiers(NSDeletedObjectIDsKey) == [bob.objectID])
    }

    @Test(
        "a fault stays a fault and then has the new values; who is not registered does not come (CTX-18)",
        arguments: StoreKind.all)
    func faultsStay(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let ann = try scene.mine.hero("Ann")
        scene.mine.refresh(ann, mergeChanges: false)
        scene.mine.processPendingChanges()
        try scene.theirs.hero("Ann").name = "Anne"
        let bob = try scene.theirs.hero("Bob").objectID
        try scene.theirs.hero("Bob").name = "Bert"
        let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: scene.mine)
        try scene.saveAndMerge()
        #expect(ann.isFault && board.objects(NSRefreshedObjectsKey) == [ann] && board.keys == [["refreshed"]])
        #expect(scene.mine.registeredObject(for: bob) == nil)
        #expect(ann.name == "Anne")
    }

    @Test(
        "notifications of the context itself, of strangers and without form do nothing (CTX-18)",
        arguments: StoreKind.all)
    func notificationsOfContextItself(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, stranger) = (try scene.mine.hero("Ann"), try MergeScene(kind))
        let foreign = try stranger.mine.hero("Ann")
        try scene.theirs.hero("Ann").name = "Anne"
        try scene.theirs.save()
        let unsaved = scene.mine.insert("Hero", ["name": "New"])
        let kept = scene.mine.insert("Hero", ["name": "Kept"])
        try scene.mine.obtainPermanentIDs(for: [kept])
        scene.mine.processPendingChanges()
        let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: scene.mine)
        func merge(_ sender: Any?, _ userInfo: [AnyHashable: Any]?) {
            scene.mine.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: sender, userInfo: userInfo))
        }
        merge(scene.mine, [NSUpdatedObjectsKey: Set([ann])])
        merge(scene.theirs, nil)
        merge(nil, [NSUpdatedObjectsKey: 5, NSDeletedObjectsKey: "Ann", NSInsertedObjectsKey: [1, "two"]])
        merge(
            "?", [NSUpdatedObjectsKey: Set([foreign, unsaved, kept]), NSDeletedObjectsKey: [foreign, unsaved, kept]])
        merge(nil, [5: 6, NSInvalidatedAllObjectsKey: false, NSInsertedObjectIDsKey: [unsaved.objectID]])
        #expect(board.all.isEmpty && ann.name == "Ann" && scene.mine.insertedObjects == [unsaved, kept])
        merge(nil, [NSRefreshedObjectsKey: [ann]])
        #expect(ann.name == "Anne" && board.all.count == 1)
    }

    @Test("that all objects were invalidated refreshes all (CTX-18)", arguments: StoreKind.all)
    func invalidatedAll(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (ann, bob) = (try scene.mine.hero("Ann"), try scene.mine.hero("Bob"))
        try scene.theirs.hero("Ann").name = "Anne"
        try scene.theirs.save()
        bob.strength = 9
        scene.mine.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextObjectsDidChange, object: nil,
                userInfo: [NSInvalidatedAllObjectsKey: [ann.objectID]]))
        #expect(ann.isFault && ann.name == "Anne" && bob.strength == 9 && bob.isUpdated)
    }

    @Test(
        "what was changed here stays, what only the other changed comes, and the save goes through (CTX-19)",
        arguments: StoreKind.all)
    func localEdits(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let ann = try scene.mine.hero("Ann")
        ann.name = "Mine"
        ann.secretIdentity = "me"
        let other = try scene.theirs.hero("Ann")
        other.name = "Theirs"
        other.strength = 40
        try scene.saveAndMerge()
        #expect(ann.name == "Mine" && ann.strength == 40 && ann.secretIdentity == "ME")
        #expect(ann.changedValues().keys.sorted() == ["name", "secretIdentity"] && scene.mine.updatedObjects == [ann])
        try scene.mine.save()
        let reader = scene.stack.newContext()
        let saved = try reader.hero("Mine")
        #expect(saved.strength == 40 && saved.secretIdentity == "ME")
    }

    @Test("a deleted object leaves with its unsaved local changes (CTX-18)", arguments: StoreKind.all)
    func deletionOfChanged(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let (bob, ann) = (try scene.mine.hero("Bob"), try scene.mine.hero("Ann"))
        bob.name = "Bert"
        ann.nemesis = bob
        scene.theirs.delete(try scene.theirs.hero("Bob"))
        try scene.saveAndMerge()
        #expect(bob.isDeleted && ann.nemesis == nil)
        #expect(!scene.mine.updatedObjects.contains(bob))
        try scene.mine.save()
        let reader = scene.stack.newContext()
        #expect(try reader.hero("Ann").nemesis == nil)
        #expect(try reader.all("Hero").count == 1)
    }

    @Test("an object deleted on both sides leaves, and the save has nothing to do (CTX-18)", arguments: StoreKind.all)
    func deletedOnBothSides(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let bob = try scene.mine.hero("Bob")
        scene.mine.delete(bob)
        scene.theirs.delete(try scene.theirs.hero("Bob"))
        try scene.saveAndMerge()
        #expect(bob.isDeleted && !scene.mine.hasChanges)
        try scene.mine.save()
        #expect(bob.managedObjectContext == nil)
    }

    @Test("a record that is gone by the time of the merge leaves as a deletion (CTX-18)", arguments: StoreKind.all)
    func goneMeanwhile(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let bob = try scene.mine.hero("Bob")
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: scene.theirs)
        try scene.theirs.hero("Bob").name = "Bert"
        try scene.theirs.save()
        scene.theirs.delete(try scene.theirs.hero("Bert"))
        try scene.theirs.save()
        let changes = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: scene.mine)
        scene.mine.mergeChanges(fromContextDidSave: try #require(board.all.first))
        #expect(changes.objects(NSDeletedObjectsKey) == [bob] && changes.objects(NSRefreshedObjectsKey).isEmpty)
        scene.mine.mergeChanges(fromContextDidSave: board.all[1])
        #expect(changes.all.count == 1 && bob.isDeleted)
    }
}
