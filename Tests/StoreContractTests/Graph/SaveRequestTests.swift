import CoreData
import StoreContract
import Testing

@Suite struct SaveRequestTests {
    private static func execute(
        _ context: NSManagedObjectContext, inserted: Set<NSManagedObject>? = nil,
        updated: Set<NSManagedObject>? = nil, deleted: Set<NSManagedObject>? = nil,
        locked: Set<NSManagedObject>? = nil
    ) throws -> Any {
        let request = NSSaveChangesRequest(inserted: inserted, updated: updated, deleted: deleted, locked: locked)
        #expect(request.requestType == .saveRequestType)
        return try #require(context.persistentStoreCoordinator).execute(request, with: context)
    }

    @Test("A save request writes the changes of its objects and leaves the others", arguments: StoreKind.all)
    func requestWritesItsObjects(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let heroes = ["Ann", "Bob", "Cid"].map { context.insert("Hero", ["name": $0]) }
        try context.save()
        heroes[0].setValue(1, forKey: "strength")
        heroes[1].setValue(2, forKey: "strength")
        context.delete(heroes[2])
        let new = context.insert("Hero", ["name": "Dan"])
        let result = try Self.execute(context, inserted: [new], updated: [heroes[0]], deleted: [heroes[2]])
        #expect((result as? [Any])?.isEmpty == true)
        #expect(!new.objectID.isTemporaryID && !heroes[0].hasChanges && heroes[1].isUpdated)
        #expect(context.updatedObjects == [heroes[1]])
        let stored = try stack.newContext().all("Hero", sortedBy: "name")
        #expect(stored.map { $0.value(forKey: "name") as? String } == ["Ann", "Bob", "Dan"])
        #expect(stored.map { $0.value(forKey: "strength") as? Int } == [1, nil, nil])
        try context.save()
        #expect(try stack.newContext().all("Hero", sortedBy: "name")[1].value(forKey: "strength") as? Int == 2)
    }

    @Test("A save request whose objects refer to unsaved ones is refused", arguments: StoreKind.all)
    func requestWithoutTargetIsRefused(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        let power = stack.context.insert("Power", ["name": "P", "hero": hero])
        let error = #expect(throws: NSError.self) { try Self.execute(stack.context, inserted: [power]) }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(try stack.newContext().all("Power").isEmpty && power.isInserted)
        _ = try Self.execute(stack.context, inserted: [power, hero])
        let other = stack.newContext()
        #expect(try other.all("Power").first?.value(forKey: "hero") != nil)
    }

    @Test("A save request with a locked object that another context changed is a conflict", arguments: StoreKind.all)
    func requestWithLockedObject(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let (ann, bob) = (stack.context.insert("Hero", ["name": "Ann"]), stack.context.insert("Hero", ["name": "Bob"]))
        try stack.context.save()
        ann.setValue(5, forKey: "strength")
        _ = try Self.execute(stack.context, updated: [ann], locked: [bob])
        let other = stack.newContext()
        try #require(try other.all("Hero", NSPredicate(format: "name == 'Bob'")).first).setValue(9, forKey: "strength")
        try other.save()
        ann.setValue(6, forKey: "strength")
        let error = #expect(throws: NSError.self) { try Self.execute(stack.context, updated: [ann], locked: [bob]) }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflicts = error?.userInfo["conflictList"] as? [NSMergeConflict]
        #expect(conflicts?.map(\.sourceObject) == [bob])
        #expect(ann.isUpdated)
    }
}
