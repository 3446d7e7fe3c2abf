import CoreDataGraph
import Testing

extension StoreContract {
    static let conflicts = [
        Clause("CTX-21: two contexts of one coordinator conflict, deletions included", contextsOfOneCoordinator),
        Clause("CTX-21: a record changed meanwhile is a conflict; after a refresh the save succeeds", keepsChanges),
        Clause("CTX-21: a record deleted meanwhile is a conflict", deletedMeanwhile),
        Clause("CTX-21: error 133020 lists what is in conflict, with the values of both sides", conflictList),
        Clause("CTX-21: changes of different records do not conflict", differentRecords),
        Clause("STO-18: stores of two coordinators conflict", needs: [.durable, .shared], coordinators),
    ]

    /// Inserts and saves a hero, and returns it in both contexts, with its values loaded.
    private static func pair(_ stack: Stack, _ other: NSManagedObjectContext) throws -> (
        NSManagedObject, NSManagedObject
    ) {
        let mine = stack.context.insert("Hero", ["name": "Ann", "strength": 1])
        try stack.context.save()
        let theirs = try other.named("Ann", "Hero")
        _ = theirs.nameValue
        return (mine, theirs)
    }

    private static func strength(_ object: NSManagedObject) -> Int? { object.value(forKey: "strength") as? Int }

    @Sendable private static func contextsOfOneCoordinator(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let other = stack.newContext()
        let (hero, theirs) = try pair(stack, other)
        hero.setValue(2, forKey: "strength")
        try stack.context.save()
        theirs.setValue(3, forKey: "strength")
        try #require(errorCode { try other.save() } == NSManagedObjectMergeError)
        other.delete(theirs)
        try #require(errorCode { try other.save() } == NSManagedObjectMergeError)
        other.rollback()
        other.refresh(theirs, mergeChanges: false)
        #expect(strength(theirs) == 2)
        other.delete(theirs)
        try other.save()
        hero.setValue(4, forKey: "strength")
        #expect(errorCode { try stack.context.save() } == NSManagedObjectMergeError)
        #expect(try stack.reopened().context.all("Hero").isEmpty)
    }

    @Sendable private static func conflictList(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let other = stack.newContext()
        let (hero, theirs) = try pair(stack, other)
        theirs.setValue(2, forKey: "strength")
        try other.save()
        hero.setValue(3, forKey: "strength")
        let error = try #require(throws: NSError.self) { try stack.context.save() }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError)
        let conflicts = try #require(error.userInfo["conflictList"] as? [NSMergeConflict])
        try #require(conflicts.count == 1)
        #expect(conflicts[0].sourceObject === hero)
        #expect(conflicts[0].objectSnapshot?["strength"] as? Int == 1)
        #expect(conflicts[0].cachedSnapshot?["strength"] as? Int == 2)
        #expect(conflicts[0].persistedSnapshot == nil)
        // A store that assigns its own identifiers may use any version numbers, such as hashes of files.
        let isNext = conflicts[0].newVersionNumber == conflicts[0].oldVersionNumber + 1
        let mayBeAnother = store.kind.capabilities.contains(.namesRecords)
        #expect(isNext || mayBeAnother && conflicts[0].newVersionNumber != conflicts[0].oldVersionNumber)
    }

    @Sendable private static func keepsChanges(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        try keepsChanges(stack, stack.newContext())
    }

    private static func keepsChanges(_ stack: Stack, _ other: NSManagedObjectContext) throws {
        let (hero, theirs) = try pair(stack, other)
        theirs.setValue("Theirs", forKey: "name")
        try other.save()
        hero.setValue(9, forKey: "strength")
        let new = stack.context.insert("Hero", ["name": "New"])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError && error?.domain == NSCocoaErrorDomain)
        #expect(hero.isUpdated && strength(hero) == 9 && new.isInserted)
        #expect(new.objectID.isTemporaryID || stack.kind.capabilities.contains(.namesRecords))
        #expect(try other.all("Hero").count == 1)
        stack.context.refresh(hero, mergeChanges: true)
        #expect(hero.nameValue == "Theirs" && strength(hero) == 9)
        try stack.context.save()
        let context = try stack.reopened().context
        #expect(try context.texts("Hero") == ["New", "Theirs"])
        #expect(strength(try context.named("Theirs", "Hero")) == 9)
    }

    @Sendable private static func deletedMeanwhile(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let other = stack.newContext()
        let (hero, theirs) = try pair(stack, other)
        other.delete(theirs)
        try other.save()
        hero.setValue(2, forKey: "strength")
        stack.context.insert("Hero", ["name": "New"])
        #expect(errorCode { try stack.context.save() } == NSManagedObjectMergeError)
        #expect(try stack.newContext().all("Hero").isEmpty)
    }

    @Sendable private static func differentRecords(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let other = stack.newContext()
        let (hero, theirs) = try pair(stack, other)
        let bob = stack.context.insert("Hero", ["name": "Bob"])
        try stack.context.save()
        theirs.setValue(2, forKey: "strength")
        try other.save()
        bob.setValue(3, forKey: "strength")
        try stack.context.save()
        #expect(strength(hero) == 1)
        #expect(try stack.reopened().context.texts("Hero", "strength") == ["2", "3"])
    }

    @Sendable private static func coordinators(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let other = try stack.another()
        try keepsChanges(stack, other.context)
    }
}
