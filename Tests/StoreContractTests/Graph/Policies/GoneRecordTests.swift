import CoreData
import StoreContract
import Testing

/// Conflicts in which one side, or both, deleted the record.
@Suite struct GoneRecordTests {
    private static let all: [NSMergePolicy] = [
        .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]
    private static let store: [NSMergePolicy] = [.mergeByPropertyStoreTrump, .rollback]
    private static let memory: [NSMergePolicy] = [.mergeByPropertyObjectTrump, .overwrite]

    @Test("a changed object whose record is gone leaves its context (CTX-22, CTX-25)", arguments: StoreKind.all, store)
    func changedObjectWhoseRecordIsGoneLeavesItsContext(kind: StoreKind, policy: NSMergePolicy) throws {
        let songs = try Songs(kind, policy: policy)
        songs.mine.setValuesForKeys(Songs.mine)
        let another = songs.context.insert("Song", ["title": "Radioactivity"])
        try songs.deleteTheirs()
        let told = Notes(songs.context)
        try songs.context.save()
        #expect(try songs.stored().map(\.[0]) == ["Radioactivity"])
        #expect(songs.mine.managedObjectContext == nil && !songs.context.hasChanges && !another.isInserted)
        #expect(told.changes[NSDeletedObjectsKey] == [songs.mine])
        #expect(try songs.context.all("Song") == [another])
    }

    @Test(
        "a changed object whose record is gone is written again, whole (CTX-23, CTX-24)", arguments: StoreKind.all,
        memory)
    func writtenAgain(kind: StoreKind, policy: NSMergePolicy) throws {
        let songs = try Songs(kind, policy: policy)
        songs.mine.setValuesForKeys(Songs.mine)
        let identifier = songs.mine.objectID
        try songs.deleteTheirs()
        try songs.context.save()
        #expect(try songs.stored() == [["Europe Endless", "Kraftwerk", "Trans-Europe Express", "Electronica"]])
        #expect(try songs.stack.newContext().all("Song").first?.objectID == identifier)
        #expect(songs.mine.objectID == identifier && !songs.mine.hasChanges)
        songs.mine.setValue("Again", forKey: "title")
        try songs.context.save()
        #expect(try songs.stored().map(\.[0]) == ["Again"])
    }

    @Test("with the error policy a record that is gone is 133020 with version 0 (CTX-21)", arguments: StoreKind.all)
    func withErrorPolicyRecordThatIsGoneIs133020WithVersion0(kind: StoreKind) throws {
        let songs = try Songs(kind)
        songs.mine.setValuesForKeys(Songs.mine)
        try songs.deleteTheirs()
        let conflict = try #require((try failure(songs.context) as? CocoaError)?.persistentStoreSaveConflicts?.first)
        #expect(conflict.newVersionNumber == 0 && conflict.oldVersionNumber == 1 && conflict.persistedSnapshot == nil)
        #expect(songs.mine.isUpdated && Songs.values(songs.mine)[0] == "Europe Endless")
    }

    @Test("A deletion on both sides does not conflict", arguments: StoreKind.all, all)
    func bothDeleted(kind: StoreKind, policy: NSMergePolicy) throws {
        let songs = try Songs(kind, policy: policy)
        songs.context.delete(songs.mine)
        songs.context.insert("Song", ["title": "Radioactivity"])
        try songs.deleteTheirs()
        try songs.context.save()
        #expect(try songs.stored().map(\.[0]) == ["Radioactivity"])
        #expect(!songs.context.hasChanges && songs.mine.managedObjectContext == nil)
    }

    @Test("A deletion of a record that was changed is dropped by the store's policies", arguments: StoreKind.all, store)
    func deletionDropped(kind: StoreKind, policy: NSMergePolicy) throws {
        let songs = try Songs(kind, policy: policy)
        songs.context.delete(songs.mine)
        songs.theirs.setValuesForKeys(Songs.theirs)
        try songs.other.save()
        try songs.context.save()
        let result = ["Metal on Metal", "Bacalao", "8-Bit Operators", "Electronica"]
        #expect(try songs.stored() == [result] && Songs.values(songs.mine) == result)
        #expect(!songs.mine.isDeleted && !songs.context.hasChanges)
    }

    @Test("A deletion of a record that was changed is done by the context's policies", arguments: StoreKind.all, memory)
    func deletionDone(kind: StoreKind, policy: NSMergePolicy) throws {
        let songs = try Songs(kind, policy: policy)
        songs.context.delete(songs.mine)
        songs.theirs.setValuesForKeys(Songs.theirs)
        try songs.other.save()
        try songs.context.save()
        #expect(try songs.stored().isEmpty)
    }

    @Test("A deletion follows the delete rules to what others related meanwhile", arguments: StoreKind.all)
    func deletionReachesNewMembers(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let mine = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let other = stack.newContext()
        let theirs = try #require(try other.all("Hero").first)
        other.insert("Power", ["name": "Flight", "hero": theirs])
        stack.context.delete(mine)
        stack.context.processPendingChanges()
        try other.save()
        stack.context.mergePolicy = NSMergePolicy.overwrite
        try stack.context.save()
        #expect(try stack.newContext().all("Power").isEmpty && stack.newContext().all("Hero").isEmpty)
    }

    @Test("A dropped deletion gives back what the delete rules took from others", arguments: StoreKind.all)
    func droppedDeletionGivesBack(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let team = stack.context.insert("Team", ["name": "T"])
        let mine = stack.context.insert("Hero", ["name": "Ann", "teams": Set([team])])
        let student = stack.context.insert("Hero", ["name": "Bob", "mentor": mine])
        try stack.context.save()
        let other = stack.newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = NSPredicate(format: "name == 'Ann'")
        try #require(try other.fetch(request).first).setValue(7, forKey: "strength")
        try other.save()
        stack.context.delete(mine)
        stack.context.mergePolicy = NSMergePolicy.rollback
        try stack.context.save()
        #expect(student.value(forKey: "mentor") as? NSManagedObject === mine)
        #expect((team.value(forKey: "members") as? Set<NSManagedObject>) == [mine])
        let reader = stack.newContext()
        let fresh = try #require(try reader.fetch(request).first)
        #expect(fresh.value(forKey: "strength") as? Int == 7)
        #expect((fresh.value(forKey: "teams") as? Set<NSManagedObject>)?.count == 1)
        #expect((fresh.value(forKey: "students") as? Set<NSManagedObject>)?.count == 1)
    }

    @Test("Those that were related to an object that leaves let go of it", arguments: StoreKind.all)
    func relativesOfOneThatLeaves(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let (mine, team) = (stack.context.insert("Hero", ["name": "Ann"]), stack.context.insert("Team", ["name": "T"]))
        try stack.context.save()
        let other = stack.newContext()
        other.delete(try #require(try other.all("Hero").first))
        let power = stack.context.insert("Power", ["name": "Flight", "hero": mine])
        mine.setValue(Set([team]), forKey: "teams")
        try other.save()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try stack.context.save()
        #expect(power.value(forKey: "hero") == nil && (team.value(forKey: "members") as? NSSet)?.count == 0)
        #expect(try stack.newContext().all("Power").map { $0.value(forKey: "hero") == nil } == [true])
    }
}

/// What a context's notifications of changed objects name.
final class Notes {
    private(set) var changes: [String: Set<NSManagedObject>] = [:]
    private(set) var count = 0
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
        nonisolated(unsafe) weak let me = self
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in me?.take(note.userInfo) }
    }

    deinit { token.map(NotificationCenter.default.removeObserver) }

    private func take(_ userInfo: [AnyHashable: Any]?) {
        count += 1
        for case (let key as String, let objects as Set<NSManagedObject>) in userInfo ?? [:] {
            changes[key, default: []].formUnion(objects)
        }
    }
}
