import CoreData
import StoreContract
import Testing

/// Default values of attributes that no store keeps.
@Suite("Defaults of transient attributes")
struct TransientDefaultTests {
    private func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            [
                "name": .stringAttributeType, "state": .stringAttributeType, "count": .integer32AttributeType,
                "ratio": .doubleAttributeType, "note": .stringAttributeType,
            ])
        for (name, value) in [("state", "idle"), ("count", 7), ("ratio", 0.5)] as [(String, Any)] {
            builder.attribute("Item.\(name)").isTransient = true
            builder.attribute("Item.\(name)").defaultValue = value
            builder.attribute("Item.\(name)").isOptional = false
        }
        builder.attribute("Item.note").isTransient = true
        return try Stack(builder.model, kind: kind)
    }

    private func expectDefaults(_ item: NSManagedObject, sourceLocation: SourceLocation = #_sourceLocation) {
        item.willAccessValue(forKey: nil)
        #expect(item.value(forKey: "state") as? String == "idle", sourceLocation: sourceLocation)
        #expect(item.primitiveValue(forKey: "state") as? String == "idle", sourceLocation: sourceLocation)
        #expect(item.value(forKey: "count") as? Int == 7, sourceLocation: sourceLocation)
        #expect(item.value(forKey: "ratio") as? Double == 0.5, sourceLocation: sourceLocation)
        #expect(item.value(forKey: "note") == nil, sourceLocation: sourceLocation)
        #expect(!item.hasChanges, sourceLocation: sourceLocation)
    }

    @Test("a fetched object has the defaults of its transient attributes (OBJ-16)", arguments: StoreKind.all)
    func fetchedObjects(kind: StoreKind) throws {
        let stack = try stack(kind)
        let context = stack.context
        let item = context.insert("Item", ["name": "a"])
        item.setValue("busy", forKey: "state")
        try context.save()
        #expect(item.value(forKey: "state") as? String == "busy")
        let identifier = item.objectID
        context.refresh(item, mergeChanges: false)
        expectDefaults(item)
        item.setValue(nil, forKey: "note")
        item.setValue("busy", forKey: "state")
        context.rollback()
        expectDefaults(item)
        context.reset()
        expectDefaults(try context.existingObject(with: identifier))
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.returnsObjectsAsFaults = false
        for object in try stack.newContext().fetch(request) { expectDefaults(object) }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        let mine = try child.existingObject(with: identifier)
        expectDefaults(mine)
        mine.setValue("b", forKey: "name")
        try child.save()
        try context.save()
    }

    @Test(
        "a value that was set to nothing stays nothing until the object is read again (OBJ-16)",
        arguments: StoreKind.all
    )
    func valueThatWasSetToNothingStaysNothingUntilObjectIsReadAgain(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "state": .stringAttributeType])
        builder.attribute("Item.state").isTransient = true
        builder.attribute("Item.state").defaultValue = "idle"
        let stack = try Stack(builder.model, kind: kind)
        let item = stack.context.insert("Item", ["name": "a"])
        item.setValue(nil, forKey: "state")
        try stack.context.save()
        #expect(item.value(forKey: "state") == nil)
        stack.context.refresh(item, mergeChanges: false)
        #expect(item.value(forKey: "state") as? String == "idle")
    }

    @Test("an undo gives a default back, also after a save (OBJ-16)", arguments: StoreKind.all)
    func undoOfChange(kind: StoreKind) throws {
        let stack = try stack(kind)
        let context = stack.context
        context.insert("Item", ["name": "a"])
        try context.save()
        context.reset()
        context.undoManager = UndoManager()
        let item = try #require(try context.all("Item").first)
        for isSaved in [true, false] {
            item.setValue("busy", forKey: "state")
            item.setValue("b", forKey: "name")
            #expect(item.changedValuesForCurrentEvent()["state"] as? String == "idle")
            context.processPendingChanges()
            if isSaved { try context.save() }
            context.undo()
            #expect(item.value(forKey: "state") as? String == "idle" && item.value(forKey: "name") as? String == "a")
            context.redo()
            #expect(item.value(forKey: "state") as? String == "busy")
            context.undo()
        }
        #expect(item.value(forKey: "state") as? String == "idle")
    }

    @Test(
        "objects of sub-entities have the defaults that they inherit, or their own (OBJ-16)", arguments: StoreKind.all)
    func objectsOfSubEntitiesHaveDefaultsThatTheyInherit(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "state": .stringAttributeType])
        builder.attribute("Item.state").isTransient = true
        builder.attribute("Item.state").defaultValue = "idle"
        builder.entity("Special", in: "Item", ["level": .integer16AttributeType, "since": .dateAttributeType])
        builder.attribute("Special.level").isTransient = true
        builder.attribute("Special.level").defaultValue = 3
        builder.attribute("Special.since").isTransient = true
        builder.attribute("Special.since").defaultValue = Date(timeIntervalSinceReferenceDate: 5)
        let stack = try Stack(builder.model, kind: kind)
        stack.context.insert("Special", ["name": "a"])
        try stack.context.save()
        let context = stack.newContext()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        for reader in [context, child] {
            let item = try #require(try reader.all("Item").first)
            for _ in 0..<2 {
                #expect(item.value(forKey: "state") as? String == "idle" && item.value(forKey: "level") as? Int == 3)
                #expect(item.value(forKey: "since") as? Date == Date(timeIntervalSinceReferenceDate: 5))
                reader.refreshAllObjects()
                #expect(item.isFault)
            }
        }
    }
}
