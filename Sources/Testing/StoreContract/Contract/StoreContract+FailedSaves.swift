import CoreDataGraph
import Testing

extension StoreContract {
    static let failedSaves = [
        Clause("CTX-03: a broken rule leaves the store as it was and the changes to be saved again", brokenRule),
        Clause("CTX-03, CTX-21: a conflict leaves the store as it was and the changes to be saved again", conflict),
        Clause(
            "CTX-03: a value twice leaves the store as it was and the changes to be saved again", needs: .uniqueValues,
            valueTwice),
        Clause("REL-17: a denied deletion fails by key and passes once nothing is left", deniedDeletion),
        Clause("CTX-15: after a failed save a rollback leaves nothing that blocks the next one", rollbackAfterFailure),
        Clause("STO-29: a store opened for reading only refuses a save", needs: .durable, readOnly),
    ]

    /// A saved store, and a context with one unsaved update, deletion and insertion.
    private struct Changes {
        var stack: Stack
        let (changed, deleted, inserted): (NSManagedObject, NSManagedObject, NSManagedObject)

        init(_ store: ContractStore) throws {
            let model = HeroModel.make()
            model.entitiesByName["Team"]?.uniquenessConstraints = [["name"]]
            stack = try store.open(model)
            let context = stack.context
            changed = context.insert("Hero", ["name": "Ann", "strength": 1])
            deleted = context.insert("Hero", ["name": "Bob"])
            context.insert("Team", ["name": "A", "members": NSSet(array: [changed])])
            try context.save()
            changed.setValue(2, forKey: "strength")
            changed.setValue(NSSet(), forKey: "teams")
            context.delete(deleted)
            inserted = context.insert("Power", ["name": "P", "hero": changed])
        }

        /// Expects the save to fail with a code, and the store and the context's changes to be as before.
        func expectFailure(_ code: Int, _ location: SourceLocation = #_sourceLocation) throws {
            #expect(errorCode { try stack.context.save() } == code, sourceLocation: location)
            #expect(changed.isUpdated && deleted.isDeleted && inserted.isInserted, sourceLocation: location)
            #expect(stack.context.hasChanges, sourceLocation: location)
            let mayHaveName = stack.kind.capabilities.contains(.namesRecords)
            #expect(inserted.objectID.isTemporaryID || mayHaveName, sourceLocation: location)
            #expect(changed.value(forKey: "strength") as? Int == 2, sourceLocation: location)
            #expect(changed.related("powers") == [inserted], sourceLocation: location)
            let other = stack.newContext()
            #expect(try other.texts("Hero").contains("Bob"), sourceLocation: location)
            #expect(try other.all("Power").isEmpty, sourceLocation: location)
            #expect(try other.texts("Team") == ["A"], sourceLocation: location)
            #expect(try other.named("A", "Team").related("members").count == 1, sourceLocation: location)
            #expect(try other.texts("Hero", "strength").contains("1"), sourceLocation: location)
        }

        /// Expects the save to succeed and to write all changes.
        func expectSuccess(_ location: SourceLocation = #_sourceLocation) throws {
            try stack.context.save()
            let context = try stack.reopened().context
            #expect(try context.texts("Hero") == ["Ann"], sourceLocation: location)
            #expect(try context.texts("Hero", "strength") == ["2"], sourceLocation: location)
            #expect(try context.named("A", "Team").related("members").isEmpty, sourceLocation: location)
            let owner = try context.named("P", "Power").value(forKeyPath: "hero.name") as? String
            #expect(owner == "Ann", sourceLocation: location)
        }
    }

    @Sendable private static func brokenRule(_ store: ContractStore) throws {
        let changes = try Changes(store)
        changes.changed.setValue(nil, forKey: "name")
        try changes.expectFailure(NSValidationMissingMandatoryPropertyError)
        changes.changed.setValue("Ann", forKey: "name")
        try changes.expectSuccess()
    }

    @Sendable private static func conflict(_ store: ContractStore) throws {
        let changes = try Changes(store)
        let other = changes.stack.newContext()
        try other.named("Ann", "Hero").setValue("theirs", forKey: "secretIdentity")
        try other.save()
        for _ in 0..<2 { try changes.expectFailure(NSManagedObjectMergeError) }
        changes.stack.context.refresh(changes.changed, mergeChanges: true)
        #expect(changes.changed.value(forKey: "secretIdentity") as? String == "THEIRS")
        try changes.expectSuccess()
    }

    @Sendable private static func valueTwice(_ store: ContractStore) throws {
        let changes = try Changes(store)
        let double = changes.stack.context.insert("Team", ["name": "A"])
        try changes.expectFailure(NSManagedObjectConstraintMergeError)
        double.setValue("B", forKey: "name")
        try changes.expectSuccess()
    }

    @Sendable private static func deniedDeletion(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let base = stack.context.insert("Base", ["name": "B"])
        let team = stack.context.insert("Team", ["name": "T", "base": base])
        try stack.context.save()
        stack.context.delete(base)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "teams")
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === base)
        #expect(try stack.newContext().all("Base").count == 1)
        stack.context.delete(team)
        try stack.context.save()
        let again = try stack.reopened()
        #expect(try again.context.all("Base").isEmpty && again.context.all("Team").isEmpty)
    }

    @Sendable private static func rollbackAfterFailure(_ store: ContractStore) throws {
        let changes = try Changes(store)
        changes.changed.setValue(nil, forKey: "name")
        try changes.expectFailure(NSValidationMissingMandatoryPropertyError)
        changes.stack.context.rollback()
        #expect(!changes.stack.context.hasChanges)
        changes.stack.context.insert("Hero", ["name": "Cid"])
        try changes.stack.context.save()
        #expect(try changes.stack.reopened().context.texts("Hero") == ["Ann", "Bob", "Cid"])
    }

    @Sendable private static func readOnly(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try coordinator.addPersistentStore(
            ofType: store.kind.type, configurationName: nil, at: stack.url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let hero = try context.named("Ann", "Hero")
        hero.setValue("Bob", forKey: "name")
        #expect(throws: NSError.self) { try context.save() }
        #expect(hero.isUpdated)
        context.rollback()
        #expect(hero.nameValue == "Ann")
        #expect(try context.texts("Hero") == ["Ann"])
    }
}
