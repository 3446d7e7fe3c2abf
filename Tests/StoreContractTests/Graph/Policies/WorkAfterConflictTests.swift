import CoreData
import StoreContract
import Testing

/// Ways to go on after a save was refused for a conflict, as the page of errors describes them.
@Suite struct WorkAfterConflictTests {
    /// Two contexts that have changed the title of one song, of which the other has been saved.
    private static func refused(_ kind: StoreKind) throws -> Songs {
        let songs = try Songs(kind)
        songs.mine.setValue("mine", forKey: "title")
        songs.theirs.setValue("theirs", forKey: "title")
        try songs.other.save()
        #expect(try failure(songs.context).code == NSManagedObjectMergeError)
        return songs
    }

    @Test("after rollback and a refresh of all objects the work can be done again and saved", arguments: StoreKind.all)
    func rollbackAndRefreshLetWorkBeDoneAgain(kind: StoreKind) throws {
        let songs = try Self.refused(kind)
        songs.context.rollback()
        songs.context.refreshAllObjects()
        #expect(songs.mine.value(forKey: "title") as? String == "theirs")
        songs.mine.setValue("again", forKey: "title")
        try songs.context.save()
        #expect(try songs.stored()[0][0] == "again")
    }

    @Test("rollback alone leaves the version that was read, so the next save conflicts too", arguments: StoreKind.all)
    func rollbackAloneConflictsAgain(kind: StoreKind) throws {
        let songs = try Self.refused(kind)
        songs.context.rollback()
        songs.mine.setValue("again", forKey: "title")
        #expect(try failure(songs.context).code == NSManagedObjectMergeError)
        #expect(try songs.stored()[0][0] == "theirs")
    }

    @Test("a refresh of all objects alone keeps the changes, and the next save overwrites", arguments: StoreKind.all)
    func refreshAloneOverwrites(kind: StoreKind) throws {
        let songs = try Self.refused(kind)
        songs.context.refreshAllObjects()
        #expect(songs.mine.value(forKey: "title") as? String == "mine")
        try songs.context.save()
        #expect(try songs.stored()[0][0] == "mine")
    }

    private final class Refusing: NSMergePolicy, @unchecked Sendable {
        struct Called: Error {}
        override func resolve(mergeConflicts list: [Any]) throws { throw Called() }
    }

    @Test(
        "a merge of changes keeps the unsaved ones without asking the policy, and the next save writes them",
        arguments: StoreKind.all)
    func mergeDoesNotAskPolicy(kind: StoreKind) throws {
        let songs = try Self.refused(kind)
        songs.context.mergePolicy = Refusing(merge: .errorMergePolicyType)
        let changes = [NSUpdatedObjectsKey: [songs.mine.objectID]]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [songs.context])
        #expect(songs.mine.value(forKey: "title") as? String == "mine")
        try songs.context.save()
        #expect(try songs.stored()[0][0] == "mine")
    }

    @Test("a save into a parent calls no policy and compares no versions", arguments: StoreKind.all)
    func saveIntoParentAsksNoPolicy(kind: StoreKind) throws {
        let songs = try Songs(kind)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = songs.context
        child.mergePolicy = Refusing(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        let id = songs.mine.objectID
        let own = try child.performAndWait { try child.existingObject(with: id) }
        child.performAndWait { own.setValue("child", forKey: "title") }
        songs.mine.setValue("parent", forKey: "title")
        songs.theirs.setValue("theirs", forKey: "title")
        try songs.other.save()
        try child.performAndWait { try child.save() }
        #expect(songs.mine.value(forKey: "title") as? String == "child")
        songs.context.delete(songs.mine)
        songs.context.processPendingChanges()
        try child.performAndWait {
            own.setValue("again", forKey: "title")
            try child.save()
            #expect(!child.hasChanges && own.managedObjectContext == nil)
        }
    }
}
