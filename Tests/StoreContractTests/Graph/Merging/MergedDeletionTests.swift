import CoreData
import StoreContract
import Testing

/// Objects whose deletion a merge has told of.
///
/// Apple's page of `mergeChanges(fromContextDidSave:)` says that it invokes `delete(_:)` on them, and a test of CoreDataPlus
/// (`test_InvestigationMergeChanges`) finds one among `deletedObjects` and `registeredObjects`. Here nothing is to be saved.
@Suite struct MergedDeletionTests {
    /// A scene in which Bob, whom `mine` has read, is deleted elsewhere; not merged yet.
    private static func scene(_ kind: StoreKind) throws -> (MergeScene, Hero, Notification) {
        let scene = try MergeScene(kind)
        let bob = try scene.mine.hero("Bob")
        scene.theirs.delete(try scene.theirs.hero("Bob"))
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: scene.theirs)
        try scene.theirs.save()
        return (scene, bob, try #require(board.all.first))
    }

    @Test("the object is deleted, has its values, and leaves with the next save (CTX-18)", arguments: StoreKind.all)
    func untilSave(kind: StoreKind) throws {
        let (scene, bob, notification) = try Self.scene(kind)
        let context = scene.mine
        bob.name = "Bobby"
        for count in [1, 0] {
            let board = NoticeBoard(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: notification)
            #expect(board.objects(NSDeletedObjectsKey) == (count == 0 ? [] : [bob]))
            #expect(bob.isDeleted && !bob.isUpdated && !bob.isFault && bob.managedObjectContext === context)
            #expect(bob.name == "Bobby" && bob.strength == 2)
            #expect(context.deletedObjects == [bob] && context.registeredObjects.contains(bob) && !context.hasChanges)
            #expect(context.updatedObjects.isEmpty)
        }
        context.delete(bob)
        bob.strength = 5
        #expect(try !context.hasChanges && context.all("Hero").count == 1)
        #expect(throws: NSError.self) { try context.existingObject(with: bob.objectID) }
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: context)
        context.insert("Hero", ["name": "Cid"])
        try context.save()
        #expect(board.objects(NSDeletedObjectsKey).isEmpty && context.deletedObjects.isEmpty)
        #expect(bob.managedObjectContext == nil && !bob.isDeleted && !context.registeredObjects.contains(bob))
        #expect(try scene.stack.newContext().all("Hero").count == 2)
    }

    @Test("it leaves with a save of nothing, a rollback and a reset too (CTX-18)", arguments: StoreKind.all)
    func untilOthers(kind: StoreKind) throws {
        for end in [{ try $0.save() }, { $0.rollback() }, { $0.reset() }] as [(NSManagedObjectContext) throws -> Void] {
            let (scene, bob, notification) = try Self.scene(kind)
            scene.mine.mergeChanges(fromContextDidSave: notification)
            #expect(bob.isDeleted)
            try end(scene.mine)
            #expect(bob.managedObjectContext == nil && scene.mine.deletedObjects.isEmpty)
            #expect(!scene.mine.registeredObjects.contains(bob))
        }
    }

    @Test("a merged deletion retains no object, and a fault leaves at once (CTX-18)", arguments: StoreKind.all)
    func notHeld(kind: StoreKind) throws {
        let (scene, bob, notification) = try Self.scene(kind)
        scene.mine.refresh(bob, mergeChanges: false)
        scene.mine.mergeChanges(fromContextDidSave: notification)
        #expect(bob.managedObjectContext == nil && scene.mine.deletedObjects.isEmpty)
        weak var lost: NSManagedObject?
        try autoreleasepool {
            let (scene, cid, notification) = try Self.scene(kind)
            lost = cid
            scene.mine.mergeChanges(fromContextDidSave: notification)
            #expect(scene.mine.deletedObjects == [cid])
        }
        #expect(lost == nil)
    }

    @Test("one that is inserted again is a new object (CTX-18)", arguments: StoreKind.all)
    func insertedAgain(kind: StoreKind) throws {
        let (scene, bob, notification) = try Self.scene(kind)
        scene.mine.mergeChanges(fromContextDidSave: notification)
        let former = bob.objectID
        scene.mine.insert(bob)
        #expect(bob.isInserted && !bob.isDeleted && bob.objectID.isTemporaryID && scene.mine.deletedObjects.isEmpty)
        bob.name = "Again"
        try scene.mine.save()
        #expect(try scene.stack.newContext().all("Hero", sortedBy: "name").last?.objectID != former)
        #expect(try scene.stack.newContext().hero("Again").name == "Again")
    }

    @Test("what refers to it is not saved with it, and one that comes back is there (CTX-18)", arguments: StoreKind.all)
    func comesBack(kind: StoreKind) throws {
        let (scene, bob, notification) = try Self.scene(kind)
        let third = scene.stack.newContext()
        third.mergePolicy = NSMergePolicy.overwrite
        scene.mine.mergeChanges(fromContextDidSave: notification)
        let power = try scene.mine.power("Flight")
        power.setValue(bob, forKey: "hero")
        try scene.mine.save()
        let reader = scene.stack.newContext()
        #expect(try reader.power("Flight").value(forKey: "hero") == nil)
        #expect(bob.managedObjectContext == nil)
    }

    @Test("a record that another context wrote again is read again (CTX-18)", arguments: StoreKind.all)
    func writtenAgain(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        let third = scene.stack.newContext()
        third.mergePolicy = NSMergePolicy.overwrite
        let (bob, own) = (try scene.mine.hero("Bob"), try third.hero("Bob"))
        scene.theirs.delete(try scene.theirs.hero("Bob"))
        try scene.saveAndMerge()
        #expect(bob.isDeleted)
        own.name = "Robert"
        try third.save()
        let found = try scene.mine.hero("Robert")
        #expect(found === bob && !bob.isDeleted && bob.name == "Robert" && scene.mine.deletedObjects.isEmpty)
        bob.strength = 9
        try scene.mine.save()
        #expect(try scene.stack.newContext().hero("Robert").strength == 9)
    }
}
