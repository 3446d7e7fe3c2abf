import CoreData
import StoreContract
import Testing

/// Conflicts that a program makes itself and has a policy resolve.
struct MadeConflictTests {
    @Test("A conflict has what it was made with, and the error policy throws it", arguments: StoreKind.all)
    func lockingConflict(_ kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        hero.setValue("Bob", forKey: "name")
        let conflict = NSMergeConflict(
            source: hero, newVersion: 0, oldVersion: 1, cachedSnapshot: ["name": "Ann"], persistedSnapshot: nil)
        #expect(conflict.sourceObject === hero && conflict.newVersionNumber == 0 && conflict.oldVersionNumber == 1)
        #expect(conflict.cachedSnapshot?["name"] as? String == "Ann" && conflict.persistedSnapshot == nil)
        #expect(conflict.objectSnapshot?["name"] as? String == "Ann")
        let failure = #expect(throws: NSError.self) {
            try NSMergePolicy.error.resolve(optimisticLockingConflicts: [conflict])
        }
        #expect(failure?.code == NSManagedObjectMergeError)
        #expect(failure?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] == [conflict])
        #expect((failure?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject])?.first === hero)
    }

    @Test("An object whose values a policy changes gets a snapshot event", arguments: StoreKind.all)
    func policyEvents(_ kind: StoreKind) throws {
        let stack = try Stack(DiaryModel.make(), kind: kind)
        let log = DiaryLog.of(stack.context)
        let diary = try stack.context.diary("A")
        try stack.context.save()
        let other = stack.newContext()
        try other.found("A").setValue("blue", forKey: "mood")
        try other.save()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        diary.setValue("red", forKey: "mood")
        _ = log.taken()
        try stack.context.save()
        #expect(log.taken().contains("A awake \(NSSnapshotEventType.mergePolicy.rawValue)"))
        #expect(diary.value(forKey: "mood") as? String == "blue")
    }

    @Test("Of objects with the same unique values a policy keeps one", arguments: StoreKind.all)
    func constraintConflict(_ kind: StoreKind) throws {
        let stack = try Stack(BatchModel.make(), kind: kind)
        let items = ["a", "b"].map { stack.context.insert("Item", ["name": $0, "code": "x"]) }
        let conflict = NSConstraintConflict(
            constraint: ["code"], databaseObject: nil, databaseSnapshot: nil, conflicting: items,
            conflictingSnapshots: items.map { _ in [String: Any]() })
        #expect(conflict.constraint == ["code"] && conflict.constraintValues["code"] as? String == "x")
        #expect(conflict.databaseObject == nil && conflict.conflictingObjects == items)
        #expect(conflict.conflictingSnapshots.count == 2)
        let failure = #expect(throws: NSError.self) {
            try NSMergePolicy.error.resolve(constraintConflicts: [conflict])
        }
        #expect(failure?.code == NSManagedObjectConstraintMergeError)
        try NSMergePolicy.mergeByPropertyObjectTrump.resolve(constraintConflicts: [conflict])
        try stack.context.save()
        #expect(try stack.newContext().all("Item").compactMap { $0.value(forKey: "name") as? String } == ["b"])
    }
}
