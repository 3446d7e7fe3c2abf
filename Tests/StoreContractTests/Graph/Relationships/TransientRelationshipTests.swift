import CoreData
import StoreContract
import Testing

/// To-one relationships that no store keeps: held by the object, in step with their inverse, and gone with its values.
@Suite struct TransientRelationshipTests {
    private func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Process", ["name": .stringAttributeType])
        builder.entity("Usage", ["kind": .stringAttributeType])
        builder.relationships("Usage.process", "Process.usages*")
        builder.relationships("Usage.hintedBy", "Process.hint")
        builder.relationship("Process.parent", to: "Process")
        for (entity, name) in [("Usage", "hintedBy"), ("Process", "hint"), ("Process", "parent")] {
            builder[entity].relationshipsByName[name]?.isTransient = true
        }
        return try Stack(builder.model, kind: kind)
    }

    @Test(
        "they are read, set on both sides, and kept over a save that writes nothing (REL-01)", arguments: StoreKind.all)
    func bothSides(kind: StoreKind) throws {
        let stack = try stack(kind)
        let process = stack.context.insert("Process", ["name": "p"])
        let usages = ["a", "b"].map { stack.context.insert("Usage", ["kind": $0, "process": process]) }
        #expect(process.value(forKey: "hint") == nil && usages[0].value(forKey: "hintedBy") == nil)
        usages[0].setValue(process, forKey: "hintedBy")
        #expect(process.value(forKey: "hint") as? NSManagedObject === usages[0])
        process.setValue(usages[1], forKey: "hint")
        #expect(usages[0].value(forKey: "hintedBy") == nil)
        #expect(usages[1].value(forKeyPath: "hintedBy.name") as? String == "p")
        try stack.context.save()
        #expect(process.value(forKey: "hint") as? NSManagedObject === usages[1])
        process.setValue(usages[0], forKey: "hint")
        #expect(process.hasChanges && !process.hasPersistentChangedValues)
        #expect(process.changedValues()["hint"] as? NSManagedObject === usages[0])
        try stack.context.save()
        #expect(process.objectIDs(forRelationshipNamed: "hint") == [usages[0].objectID])
        #expect(!process.hasFault(forRelationshipNamed: "parent"))
    }

    @Test(
        "an object that was read has none, and forgets its own when it becomes a fault (REL-01)",
        arguments: StoreKind.all)
    func objectThatWasReadHasNone(kind: StoreKind) throws {
        let stack = try stack(kind)
        let process = stack.context.insert("Process", ["name": "p"])
        let usage = stack.context.insert("Usage", ["process": process])
        process.setValue(process, forKey: "parent")
        process.setValue(usage, forKey: "hint")
        try stack.context.save()
        let context = stack.newContext()
        let same = try #require(try context.all("Process").first)
        #expect(same.value(forKey: "hint") == nil && same.value(forKey: "parent") == nil)
        #expect(same.committedValues(forKeys: ["hint"])["hint"] is NSNull)
        #expect(same.description.contains("hint = nil"))
        same.setValue(same, forKey: "parent")
        context.refresh(same, mergeChanges: true)
        #expect(same.value(forKey: "parent") as? NSManagedObject === same)
        context.refresh(same, mergeChanges: false)
        #expect(same.value(forKey: "parent") == nil)
        #expect(same.value(forKey: "name") as? String == "p")
    }

    @Test(
        "deletion lets go of the other side, undo restores, and a store is never asked (REL-01)",
        arguments: StoreKind.all)
    func deletionAndUndo(kind: StoreKind) throws {
        let stack = try stack(kind)
        stack.context.undoManager = UndoManager()
        let process = stack.context.insert("Process", ["name": "p"])
        let usage = stack.context.insert("Usage")
        try stack.context.save()
        stack.context.processPendingChanges()
        process.setValue(usage, forKey: "hint")
        stack.context.processPendingChanges()
        stack.context.undo()
        #expect(process.value(forKey: "hint") == nil && usage.value(forKey: "hintedBy") == nil)
        stack.context.redo()
        #expect(usage.value(forKey: "hintedBy") as? NSManagedObject === process)
        stack.context.delete(usage)
        try stack.context.save()
        #expect(process.value(forKey: "hint") == nil)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Process")
        request.predicate = NSPredicate(format: "hint == nil")
        #expect(throws: NSError.self) { try stack.context.fetch(request) }
    }

    @Test("a child context hands them to its parent (REL-01)", arguments: StoreKind.all)
    func childContextHandsThemToItsParent(kind: StoreKind) throws {
        let stack = try stack(kind)
        let process = stack.context.insert("Process", ["name": "p"])
        let usage = stack.context.insert("Usage")
        try stack.context.save()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        let mine = try child.existingObject(with: process.objectID)
        mine.setValue(try child.existingObject(with: usage.objectID), forKey: "hint")
        try child.save()
        #expect(process.value(forKey: "hint") as? NSManagedObject === usage)
        #expect(usage.value(forKey: "hintedBy") as? NSManagedObject === process)
    }
}
