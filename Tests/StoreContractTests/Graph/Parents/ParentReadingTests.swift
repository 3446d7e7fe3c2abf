import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct ParentReadingTests {
    @Test("a child's fetch sees what its parent has not saved (CTX-07)", arguments: StoreKind.all)
    func fetchSeesUnsavedStateOfParent(kind: StoreKind) throws {
        let family = try Family(kind)
        let parent = family.parent
        let saved = try parent.make("saved")
        let doomed = try parent.make("doomed")
        try parent.save()
        saved.name = "renamed"
        parent.delete(doomed)
        let new = try parent.make("new", ["weight": 2.5, "picture": Data([1, 2, 3]), "count": 3])

        let child = family.child()
        #expect(try child.names() == ["new", "renamed"])
        #expect(try child.find("saved") == nil)
        let copy = try child.have("new")
        #expect(copy !== new && copy.objectID == new.objectID && copy.objectID.isTemporaryID)
        #expect(copy.value(forKey: "weight") as? Double == 2.5 && copy.count == 3)
        #expect(copy.value(forKey: "picture") as? Data == Data([1, 2, 3]))
        #expect(!copy.isInserted && !copy.hasChanges && !child.hasChanges)
        #expect(try child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")) == 2)
        #expect(try child.existingObject(with: new.objectID) === copy)
        expectError(133000) { try child.existingObject(with: doomed.objectID) }
        #expect(try family.stack.newContext().names() == ["doomed", "saved"])
    }

    @Test("relationships lead through the parent, saved or not (CTX-07)", arguments: StoreKind.all)
    func relationshipsLeadThroughParent(kind: StoreKind) throws {
        let family = try Family(kind)
        let parent = family.parent
        let (mother, son) = (try parent.make("mother"), try parent.make("son"))
        son.setValue(mother, forKey: "parent")
        try parent.save()
        let daughter = try parent.make("daughter")
        daughter.setValue(mother, forKey: "parent")
        daughter.setValue(son, forKey: "partner")
        mother.mutableOrderedSetValue(forKey: "path").addObjects(from: [daughter, son])
        mother.mutableSetValue(forKey: "tags").add(daughter)
        mother.setValue(daughter, forKey: "link")

        let child = family.child()
        let copy = try child.have("mother")
        #expect(Set(copy.set("children").compactMap(\.name)) == ["son", "daughter"])
        #expect(copy.list("path").compactMap(\.name) == ["daughter", "son"])
        #expect(copy.set("tags").compactMap(\.name) == ["daughter"] && copy.one("link")?.name == "daughter")
        #expect(copy.one("link")?.one("partner") === (try child.have("son")))
        #expect(try child.have("son").one("admirer") === (try child.have("daughter")))
        #expect(
            copy.objectIDs(forRelationshipNamed: "path") == [daughter.objectID, son.objectID])
        #expect(try child.all("Item", NSPredicate(format: "parent == %@", copy)).count == 2)
        #expect(try child.all("Item", NSPredicate(format: "parent == %@ AND partner != nil", mother)).count == 1)
    }

    @Test("limits, offsets and sorts count what the parent has (CTX-07)", arguments: StoreKind.all)
    func pagesCountParentsChanges(kind: StoreKind) throws {
        let family = try Family(kind)
        for number in 0..<20 where number % 2 == 0 { _ = try family.parent.make("\(number)", ["count": number]) }
        try family.parent.save()
        for number in 0..<20 where number % 2 == 1 { _ = try family.parent.make("\(number)", ["count": number]) }
        let child = family.child()
        _ = try child.make("between", ["count": 7])
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
        request.fetchOffset = 5
        request.fetchLimit = 6
        #expect(try child.fetch(request).compactMap(\.count) == [5, 6, 7, 7, 8, 9])
        request.includesPendingChanges = false
        #expect(try child.fetch(request).compactMap(\.count) == [5, 6, 7, 8, 9, 10])
    }

    @Test("a child refreshes from its parent (CTX-07)", arguments: StoreKind.all)
    func childRefreshesFromParent(kind: StoreKind) throws {
        let family = try Family(kind)
        let item = try family.parent.make("one", ["weight": 1.0])
        let child = family.child()
        let copy = try child.have("one")
        copy.willAccessValue(forKey: nil)
        item.name = "two"
        item.setValue(9.0, forKey: "weight")
        #expect(copy.name == "one")
        copy.setValue(5.0, forKey: "weight")
        child.refresh(copy, mergeChanges: true)
        #expect(copy.name == "two" && copy.value(forKey: "weight") as? Double == 5.0)
        child.refresh(copy, mergeChanges: false)
        #expect(copy.isFault)
        #expect(copy.value(forKey: "weight") as? Double == 9.0 && !child.hasChanges)
        copy.name = "three"
        child.rollback()
        #expect(copy.name == "two")
    }

    @Test("prefetching works through a parent (FET-09)", arguments: StoreKind.all)
    func prefetchingWorksThroughParent(kind: StoreKind) throws {
        let family = try Family(kind)
        for number in 0..<5 {
            let mother = try family.parent.make("m\(number)")
            for _ in 0..<3 { (try family.parent.make("c\(number)")).setValue(mother, forKey: "parent") }
        }
        try family.parent.save()
        (try family.parent.make("c0")).setValue(try family.parent.have("m0"), forKey: "parent")
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: "name BEGINSWITH 'm'")
        request.relationshipKeyPathsForPrefetching = ["children"]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let child = family.child()
        let found = try child.fetch(request)
        #expect(found.map { $0.set("children").count } == [4, 3, 3, 3, 3])
    }

    @Test("a context with a parent has its coordinator, and no second one (CTX-07)") func coordinatorIsTheParents()
        async throws
    {
        let family = try Family(.inMemory)
        #expect(family.child().persistentStoreCoordinator === family.parent.persistentStoreCoordinator)
        await #expect(processExitsWith: .failure) {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.parent = context
        }
        await #expect(processExitsWith: .failure) {
            let model = NSManagedObjectModel()
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            context.parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        }
    }
}
