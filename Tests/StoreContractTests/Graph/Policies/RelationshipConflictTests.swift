import CoreData
import StoreContract
import Testing

/// Conflicts in relationships, and that both their sides stay in step in memory.
@Suite struct RelationshipConflictTests {
    private static let keepsMembers: [NSMergePolicy] = [
        .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite,
    ]

    /// A power whose hero two contexts change: Ann at first, Bob here, Cid there.
    private struct Scene {
        let stack: Stack
        let heroes: [NSManagedObject]
        let power: NSManagedObject

        init(_ kind: StoreKind, _ policy: NSMergePolicy, mine: Int?, theirs: Int) throws {
            stack = try HeroModel.stack(kind)
            let context = stack.context
            heroes = ["Ann", "Bob", "Cid"].map { context.insert("Hero", ["name": $0]) }
            power = stack.context.insert("Power", ["name": "Flight", "hero": heroes[0]])
            try stack.context.save()
            for hero in heroes { _ = (hero.value(forKey: "powers") as? NSSet)?.count }
            let other = stack.newContext()
            let target = try other.existingObject(with: heroes[theirs].objectID)
            try other.existingObject(with: power.objectID).setValue(target, forKey: "hero")
            try other.save()
            power.setValue(2, forKey: "level")
            if let mine { power.setValue(heroes[mine], forKey: "hero") }
            stack.context.mergePolicy = policy
            try stack.context.save()
        }

        func holders(_ context: NSManagedObjectContext) throws -> [String] {
            try context.all("Hero", sortedBy: "name").filter { ($0.value(forKey: "powers") as? NSSet)?.count == 1 }
                .compactMap { $0.value(forKey: "name") as? String }
        }
    }

    @Test(
        "A to-one relationship changed on both sides, by policy; inverses agree with it", arguments: StoreKind.all,
        [
            (NSMergePolicy.mergeByPropertyStoreTrump, "Cid"), (.mergeByPropertyObjectTrump, "Bob"), (.overwrite, "Bob"),
            (.rollback, "Cid"),
        ])
    func toOne(kind: StoreKind, expected: (NSMergePolicy, String)) throws {
        let scene = try Scene(kind, expected.0, mine: 1, theirs: 2)
        let hero = scene.power.value(forKey: "hero") as? NSManagedObject
        #expect(hero?.value(forKey: "name") as? String == expected.1)
        #expect(try scene.holders(scene.stack.context) == [expected.1])
        #expect(try scene.holders(scene.stack.newContext()) == [expected.1])
        #expect(!scene.stack.context.hasChanges)
    }

    @Test(
        "A to-one relationship changed by others alone is taken, except when all is overwritten",
        arguments: StoreKind.all,
        [
            (NSMergePolicy.mergeByPropertyStoreTrump, "Cid"), (.mergeByPropertyObjectTrump, "Cid"), (.overwrite, "Ann"),
            (.rollback, "Cid"),
        ])
    func toOneOfOthers(kind: StoreKind, expected: (NSMergePolicy, String)) throws {
        let scene = try Scene(kind, expected.0, mine: nil, theirs: 2)
        let hero = scene.power.value(forKey: "hero") as? NSManagedObject
        #expect(hero?.value(forKey: "name") as? String == expected.1)
        #expect(try scene.holders(scene.stack.context) == [expected.1])
        #expect(try scene.holders(scene.stack.newContext()) == [expected.1])
    }

    @Test("Members added on both sides stay, except by rollback", arguments: StoreKind.all, keepsMembers + [.rollback])
    func membersAddedOnBothSidesStay(kind: StoreKind, policy: NSMergePolicy) throws {
        let stack = try HeroModel.stack(kind)
        let mine = stack.context.insert("Hero", ["name": "Ann"])
        let teams = ["A", "B"].map { stack.context.insert("Team", ["name": $0]) }
        try stack.context.save()
        _ = (mine.value(forKey: "teams") as? NSSet)?.count
        let other = stack.newContext()
        let theirs = try other.existingObject(with: mine.objectID)
        theirs.setValue(Set([try other.existingObject(with: teams[1].objectID)]), forKey: "teams")
        try other.save()
        mine.setValue(Set([teams[0]]), forKey: "teams")
        stack.context.mergePolicy = policy
        try stack.context.save()
        let expected = policy.mergeType == .rollbackMergePolicyType ? ["B"] : ["A", "B"]
        let names = { (hero: NSManagedObject) in
            (hero.value(forKey: "teams") as? Set<NSManagedObject> ?? []).compactMap {
                $0.value(forKey: "name") as? String
            }.sorted()
        }
        #expect(names(mine) == expected)
        let reader = stack.newContext()
        #expect(names(try reader.existingObject(with: mine.objectID)) == expected)
        #expect(!stack.context.hasChanges)
    }

    @Test(
        "One-to-one relationships changed on both sides stay one to one", arguments: StoreKind.all,
        keepsMembers + [.rollback])
    func oneToOne(kind: StoreKind, policy: NSMergePolicy) throws {
        let stack = try HeroModel.stack(kind)
        let heroes = ["Ann", "Bob", "Cid"].map { stack.context.insert("Hero", ["name": $0]) }
        try stack.context.save()
        let other = stack.newContext()
        let theirs = try heroes.map { try other.existingObject(with: $0.objectID) }
        theirs[0].setValue(theirs[2], forKey: "nemesis")
        try other.save()
        heroes[0].setValue(heroes[1], forKey: "nemesis")
        stack.context.mergePolicy = policy
        try stack.context.save()
        let prefersStore = [.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType].contains(
            policy.mergeType)
        let expected = prefersStore ? "Cid" : "Bob"
        for context in [stack.context, stack.newContext()] {
            let all = try context.all("Hero", sortedBy: "name")
            #expect((all[0].value(forKey: "nemesis") as? NSManagedObject)?.value(forKey: "name") as? String == expected)
            let hunted = all.filter { $0.value(forKey: "hunter") != nil }
            #expect(hunted.map { $0.value(forKey: "name") as? String } == [expected])
        }
        #expect(!stack.context.hasChanges)
    }

    @Test("The notification of changed objects comes once, and names what a policy refreshed", arguments: StoreKind.all)
    func notificationOfChangedObjectsComesOnce(kind: StoreKind) throws {
        let songs = try Songs(kind, policy: NSMergePolicy.mergeByPropertyStoreTrump)
        try songs.changeBoth()
        songs.context.processPendingChanges()
        let told = Notes(songs.context)
        try songs.context.save()
        #expect(told.count == 1 && told.changes[NSRefreshedObjectsKey] == [songs.mine])
    }

    @Test("A conflict in the second store after the first was written is an incomplete save, or resolved")
    func severalStores() throws {
        let builder = ModelBuilder()
        for name in ["A", "B"] { builder.entity(name, ["text": .stringAttributeType]) }
        builder.model.setEntities([builder["A"]], forConfigurationName: "first")
        builder.model.setEntities([builder["B"]], forConfigurationName: "second")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
        for name in ["first", "second"] {
            try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: name, at: URL(fileURLWithPath: "/dev/null/\(name)"))
        }
        let contexts = (0..<2).map { _ in NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) }
        for context in contexts { context.persistentStoreCoordinator = coordinator }
        let (a, b) = (contexts[0].insert("A", ["text": "0"]), contexts[0].insert("B", ["text": "0"]))
        try contexts[0].save()
        try contexts[1].existingObject(with: b.objectID).setValue("1", forKey: "text")
        try contexts[1].save()
        a.setValue("2", forKey: "text")
        b.setValue("2", forKey: "text")
        let error = try failure(contexts[0])
        #expect(error.code == NSPersistentStoreIncompleteSaveError && !a.hasChanges && b.isUpdated)
        a.setValue("3", forKey: "text")
        contexts[0].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try contexts[0].save()
        #expect(try contexts[1].all("A").count == 1 && !contexts[0].hasChanges)
        contexts[1].reset()
        #expect(try contexts[1].existingObject(with: b.objectID).value(forKey: "text") as? String == "2")
    }
}
