import CoreData
import StoreContract
import Testing

@Suite struct ObjectLifeTests {
    @Test("an inserted object has defaults before and after the save (OBJ-01)", arguments: StoreKind.all)
    func insertedObjectHasDefaults(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = try #require(stack.context.insert("Hero") as? Hero)
        #expect(hero.name == "Untitled Hero")
        #expect(hero.log == ["insert"])
        #expect(hero.isInserted && hero.hasChanges && !hero.isUpdated && !hero.isFault)
        #expect(stack.context.insertedObjects == [hero])
        try stack.context.save()
        #expect(!hero.isInserted && !hero.hasChanges && !stack.context.hasChanges)
        #expect(hero.name == "Untitled Hero")
    }

    @Test("states of an object from change to deletion (OBJ-10)", arguments: StoreKind.all)
    func statesOfAnObject(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = try #require(stack.context.insert("Hero") as? Hero)
        try stack.context.save()
        hero.name = "Bob"
        #expect(hero.isUpdated && stack.context.updatedObjects == [hero])
        stack.context.delete(hero)
        #expect(hero.isDeleted && !hero.isUpdated && hero.log.last == "delete")
        #expect(stack.context.deletedObjects == [hero] && stack.context.updatedObjects.isEmpty)
        try stack.context.save()
        #expect(!hero.isDeleted && hero.managedObjectContext == nil)
    }

    @Test("committed and changed values (OBJ-11)", arguments: StoreKind.all)
    func committedAndChangedValues(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = try #require(stack.context.insert("Hero") as? Hero)
        hero.name = "Ann"
        #expect(hero.committedValues(forKeys: nil).isEmpty)
        try stack.context.save()
        #expect(hero.changedValues().isEmpty)
        hero.name = "Bob"
        #expect(hero.committedValues(forKeys: ["name"])["name"] as? String == "Ann")
        #expect(hero.committedValues(forKeys: ["secretIdentity"])["secretIdentity"] is NSNull)
        #expect(hero.changedValues().keys.sorted() == ["name"])
        #expect(hero.changedValues()["name"] as? String == "Bob")
        hero.name = nil
        #expect(hero.changedValues()["name"] is NSNull)
    }

    @Test("changes made while awaking from a fetch are not tracked (OBJ-20)", arguments: StoreKind.all)
    func changesWhileAwakingAreNotTracked(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        stack.context.insert("Hero")
        try stack.context.save()
        let hero = try #require(try stack.newContext().all("Hero").first as? Hero)
        _ = hero.name
        #expect(hero.log == ["fetch"])
        #expect(!hero.hasChanges)
    }

    @Test("a deleted and saved object reports that it was deleted (OBJ-25)", arguments: StoreKind.all)
    func deletedObjectReports(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = try #require(stack.context.insert("Hero", ["name": "Ann"]) as? Hero)
        try stack.context.save()
        stack.context.delete(hero)
        try stack.context.save()
        let error = #expect(throws: NSError.self) { try hero.codedValue(forKey: "name") }
        #expect(error?.localizedDescription.contains("was deleted") == true)
        #expect(hero.value(forKey: "name") == nil)
        #expect(hero.isFault || hero.name == nil)
    }

    @Test(
        "an unchanged object is released with its last reference, a changed one after the save (OBJ-29)",
        arguments: StoreKind.all)
    func contextHoldsUnchangedObjectsWeakly(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        #expect(stack.context.registeredObjects.isEmpty)
        weak var probe: Hero?
        do {
            let hero = try #require(try stack.context.all("Hero").first as? Hero)
            hero.strength = 3
            probe = hero
        }
        #expect(probe?.strength == 3)
        try stack.context.save()
        #expect(probe == nil)
        stack.context.retainsRegisteredObjects = true
        do { probe = try stack.context.all("Hero").first as? Hero }
        #expect(probe != nil)
        stack.context.retainsRegisteredObjects = false
        #expect(probe == nil)
    }

    @Test("objects that hold each other go with their context or their deletion (OBJ-29)", arguments: StoreKind.all)
    func circlesGoWithTheirContext(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        weak var hero: NSManagedObject?
        weak var deleted: NSManagedObject?
        weak var cancelled: NSManagedObject?
        weak var context: NSManagedObjectContext?
        try autoreleasepool {
            let own = stack.newContext()
            context = own
            let made = own.insert("Hero")
            let power = own.insert("Power", ["hero": made])
            _ = made.value(forKey: "powers")
            let second = own.insert("Hero")
            own.insert("Power", ["hero": second])
            try own.save()
            own.delete(second)
            own.processPendingChanges()
            deleted = second
            try own.save()
            let third = own.insert("Hero", ["nemesis": nil])
            own.insert("Power", ["hero": third])
            own.delete(third)
            try own.save()
            cancelled = third
            hero = power.value(forKey: "hero") as? NSManagedObject
            #expect(hero === made)
        }
        #expect(deleted == nil)
        #expect(cancelled == nil)
        #expect(context == nil)
        #expect(hero == nil)
    }

    @Test("a chain of 100,000 objects that hold each other goes without overflow (HAZ-23)", arguments: StoreKind.all)
    func longChainGoes(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Link")
        builder.relationship("Link.next", to: "Link")
        let stack = try Stack(builder.model, kind: kind)
        let entity = try #require(builder.model.entitiesByName["Link"])
        weak var last: NSManagedObject?
        do {
            var head = NSManagedObject(entity: entity, insertInto: nil)
            last = head
            for _ in 0..<100_000 {
                let next = NSManagedObject(entity: entity, insertInto: nil)
                next.setValue(head, forKey: "next")
                head = next
            }
            #expect(last != nil)
        }
        #expect(last == nil)
        #expect(stack.context.registeredObjects.isEmpty)
    }

    @Test(arguments: StoreKind.all) func contextThatWasNeverUsedCanGo(kind: StoreKind) throws {
        weak var probe: NSManagedObjectContext?
        do {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            probe = context
        }
        #expect(probe == nil)
    }

    @Test(arguments: StoreKind.all) func objectsOutliveTheirContextHarmlessly(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        var context: NSManagedObjectContext? = stack.newContext()
        let hero = context?.insert("Hero", ["name": "Ann"])
        try context?.save()
        context = nil
        #expect(hero?.managedObjectContext == nil)
        _ = hero?.value(forKey: "powers")
        #expect(hero?.objectID.isTemporaryID == false)
    }
}
