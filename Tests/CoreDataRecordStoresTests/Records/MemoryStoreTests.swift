import CoreDataGraph
import StoreContract
import Testing

@Suite(.timeLimit(.minutes(20))) struct MemoryStoreTests {
    private func stack(_ change: (ModelBuilder) -> Void = { _ in }) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            [
                "name": .stringAttributeType, "number": .integer64AttributeType, "ratio": .doubleAttributeType,
                "price": .decimalAttributeType, "data": .binaryDataAttributeType,
            ])
        builder.entity("Special", in: "Item", ["extra": .stringAttributeType])
        builder.relationships("Item.parent", "Item.children*")
        change(builder)
        return try Stack(builder.model, kind: .inMemory)
    }

    private func code(_ body: () throws -> Void) -> Int {
        do {
            try body()
            return 0
        } catch { return (error as NSError).code }
    }

    @Test("records are there in every context of the coordinator, and nothing is written (STO-03)")
    func recordsAreInMemoryAlone() throws {
        let stack = try stack()
        stack.context.insert("Item", ["name": "a"])
        try stack.context.save()
        #expect(try stack.newContext().all("Item").map { $0.value(forKey: "name") as? String } == ["a"])
        #expect(!FileManager.default.fileExists(atPath: stack.url.path))
        #expect(stack.store.type == NSInMemoryStoreType)
    }

    @Test("two stores at one URL, and stores without URL, know nothing of each other (STO-03)")
    func storesAtOneURLAreSeparate() throws {
        let stack = try stack()
        stack.context.insert("Item")
        try stack.context.save()
        #expect(try stack.another().context.all("Item").isEmpty)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        #expect(store.identifier != stack.store.identifier)
    }

    @Test func metadataNamesTypeIdentityAndModel() throws {
        let stack = try stack()
        let metadata = stack.coordinator.metadata(for: stack.store)
        #expect(metadata[NSStoreTypeKey] as? String == "InMemory")
        #expect(metadata[NSStoreUUIDKey] as? String == stack.store.identifier)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes == stack.model.entityVersionHashesByName)
    }

    @Test("NaN, negative zero and 38 digits are kept exactly (STO-03)")
    func numbersAreKeptExactly() throws {
        let stack = try stack()
        let digits = "12345678901234567890123456789012345678"
        stack.context.insert("Item", ["number": 1, "ratio": Double.nan])
        stack.context.insert("Item", ["number": 2, "ratio": -0.0, "price": Decimal(string: digits)])
        try stack.context.save()
        let items = try stack.newContext().all("Item", sortedBy: "number")
        #expect((items[0].value(forKey: "ratio") as? Double)?.isNaN == true)
        #expect((items[1].value(forKey: "ratio") as? Double)?.sign == .minus)
        #expect((items[1].value(forKey: "price") as? Decimal)?.description == digits)
        let exact = NSPredicate(format: "price == %@", NSDecimalNumber(string: digits))
        #expect(try stack.context.all("Item", exact).count == 1)
    }

    @Test func dateThatIsNotFiniteIsRefused() throws {
        let stack = try stack { $0.entity("Event", ["day": .dateAttributeType]) }
        stack.context.insert("Event", ["day": Date(timeIntervalSinceReferenceDate: .nan)])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationInvalidDateError)
    }

    @Test func largeValuesAreStoredAsTheyAre() throws {
        let stack = try stack { $0.attribute("Item.data").allowsExternalBinaryDataStorage = true }
        let data = Data(repeating: 7, count: 300_000)
        let item = stack.context.insert("Item", ["data": data])
        try stack.context.save()
        stack.context.refresh(item, mergeChanges: false)
        #expect(item.value(forKey: "data") as? Data == data)
    }

    @Test func readOnlyStoreRefusesSaves() throws {
        let stack = try stack()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil,
            options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.insert("Item")
        #expect(code { try context.save() } == NSPersistentStoreSaveError)
    }

    @Test("keys of deleted objects are not given out again (STO-03)")
    func keysAreNotReused() throws {
        let stack = try stack()
        var seen = Set<URL>()
        for _ in 0..<5 {
            let item = stack.context.insert("Item")
            let special = stack.context.insert("Special")
            try stack.context.obtainPermanentIDs(for: [special])
            try stack.context.save()
            #expect(seen.insert(item.objectID.uriRepresentation()).inserted)
            #expect(seen.insert(special.objectID.uriRepresentation()).inserted)
            stack.context.delete(item)
            stack.context.delete(special)
            try stack.context.save()
        }
    }

    @Test("a record changed meanwhile is a conflict, and nothing of the save is written (STO-03)")
    func conflictLeavesEverything() throws {
        let stack = try stack()
        for number in 0..<3 { stack.context.insert("Item", ["number": number]) }
        try stack.context.save()
        let other = stack.newContext()
        let mine = try stack.context.all("Item", sortedBy: "number")
        let theirs = try other.all("Item", sortedBy: "number")
        for item in mine + theirs { _ = item.value(forKey: "number") }
        theirs[1].setValue(11, forKey: "number")
        try other.save()
        mine[0].setValue(20, forKey: "number")
        mine[1].setValue(21, forKey: "number")
        stack.context.delete(mine[2])
        stack.context.insert("Item", ["number": 22])
        #expect(code { try stack.context.save() } == NSManagedObjectMergeError)
        let numbers = try stack.newContext().all("Item", sortedBy: "number").map { $0.value(forKey: "number") as? Int }
        #expect(numbers == [0, 2, 11])
    }

    @Test("a chain of 5,000 records is followed, and cascades from end to end (STO-03)")
    func deepChainIsDeleted() throws {
        let stack = try stack { $0["Item"].relationshipsByName["children"]?.deleteRule = .cascadeDeleteRule }
        var last: NSManagedObject?
        for number in 0..<5_000 { last = stack.context.insert("Item", ["number": number, "parent": last]) }
        try stack.context.save()
        let context = stack.newContext()
        var item = try context.all("Item", NSPredicate(format: "number == 4999")).first
        var steps = 0
        while let parent = item?.value(forKey: "parent") as? NSManagedObject { (item, steps) = (parent, steps + 1) }
        #expect(steps == 4_999)
        if let item { context.delete(item) }
        try context.save()
        #expect(try stack.newContext().all("Item").isEmpty)
    }

    @Test("20,000 members leave their owner at once (STO-03)")
    func largeRelationshipShrinks() throws {
        let stack = try stack()
        let owner = stack.context.insert("Item", ["number": -1])
        for number in 0..<20_000 { stack.context.insert("Item", ["number": number, "parent": owner]) }
        try stack.context.save()
        let context = stack.newContext()
        let parent = try #require(try context.all("Item", NSPredicate(format: "number == -1")).first)
        #expect((parent.value(forKey: "children") as? NSSet)?.count == 20_000)
        for item in try context.all("Item", NSPredicate(format: "parent == %@ AND number > 10", parent)) {
            context.delete(item)
        }
        try context.save()
        let left = try stack.newContext().all("Item", NSPredicate(format: "children.@count == 11"))
        #expect(left.map { $0.value(forKey: "number") as? Int } == [-1])
    }

    @Test func recordSavedAsParentKeepsWhatOnlyTheChildHas() throws {
        let stack = try stack()
        let special = stack.context.insert("Special", ["name": "a", "extra": "kept"])
        try stack.context.save()
        let text = special.objectID.uriRepresentation().absoluteString.replacingOccurrences(of: "Special", with: "Item")
        let context = stack.newContext()
        let url = try #require(URL(string: text))
        let identifier = try #require(stack.coordinator.managedObjectID(forURIRepresentation: url))
        try context.existingObject(with: identifier).setValue("b", forKey: "name")
        try context.save()
        let found = try #require(try stack.newContext().all("Special").first)
        #expect(found.objectID == special.objectID)
        #expect(found.value(forKey: "name") as? String == "b")
        #expect(found.value(forKey: "extra") as? String == "kept")
    }
}
