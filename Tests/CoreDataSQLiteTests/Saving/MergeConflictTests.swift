import CoreData
import StoreContract
import Testing

@Suite("Conflicts of a save as values")
struct MergeConflictTests {
    private let stack: Stack
    private let mine: NSManagedObject

    init() throws {
        stack = try HeroModel.stack()
        mine = stack.context.insert("Team", ["name": "first"])
        try stack.context.save()
    }

    private func refusedSave() throws -> NSMergeConflict {
        let error = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError)
        let conflicts = try #require(error.userInfo["conflictList"] as? [NSMergeConflict])
        #expect(conflicts.count == 1)
        return conflicts[0]
    }

    @Test("a change by another process is a conflict between coordinator and store, with both versions (CTX-21)")
    func changeByAnotherProcess() throws {
        let other = try stack.another()
        let theirs = try #require(try other.context.all("Team").first)
        theirs.setValue("theirs", forKey: "name")
        try other.context.save()
        mine.setValue("mine", forKey: "name")
        let conflict = try refusedSave()
        #expect(conflict.sourceObject === mine)
        #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
        #expect(conflict.objectSnapshot?["name"] as? String == "first")
        #expect(conflict.cachedSnapshot?["name"] as? String == "first")
        #expect(conflict.persistedSnapshot?["name"] as? String == "theirs")
        #expect(conflict.persistedSnapshot?["base"] is NSNull)
        #expect(mine.value(forKey: "name") as? String == "mine" && stack.context.hasChanges)
    }

    @Test("a change by another context is a conflict between context and coordinator (CTX-21)")
    func changeByAnotherContext() throws {
        let other = stack.newContext()
        let theirs = try #require(try other.all("Team").first)
        theirs.setValue("theirs", forKey: "name")
        try other.save()
        mine.setValue("mine", forKey: "name")
        let conflict = try withExtendedLifetime(theirs) { try refusedSave() }
        #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
        #expect(conflict.cachedSnapshot?["name"] as? String == "theirs")
        #expect(conflict.persistedSnapshot == nil)
    }

    @Test("a conflict with a deleted record has the version 0 and no snapshot (CTX-21)")
    func recordWasDeleted() throws {
        let other = try stack.another()
        other.context.delete(try #require(try other.context.all("Team").first))
        try other.context.save()
        mine.setValue("mine", forKey: "name")
        let conflict = try refusedSave()
        #expect(conflict.newVersionNumber == 0 && conflict.persistedSnapshot == nil)
        #expect(conflict.objectSnapshot?["name"] as? String == "first")
    }
}
