import CoreData
import StoreContract
import Testing

@Suite struct UndoTests {
    @Test("an attribute is undone and redone, and then nothing is changed (CTX-10)", arguments: StoreKind.all)
    func attributeIsUndoneAndRedone(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        #expect(context.undoManager?.canUndo == false)
        context.event { item.name = "two" }
        #expect(context.undoManager?.canUndo == true)
        context.undo()
        #expect(item.name == "one" && !context.hasChanges && context.updatedObjects.isEmpty)
        #expect(context.undoManager?.canUndo == false && context.undoManager?.canRedo == true)
        context.redo()
        #expect(item.name == "two" && context.updatedObjects == [item])
        context.undo()
        #expect(item.name == "one" && !context.hasChanges)
    }

    @Test("undo of an event that is still open takes it back (CTX-10)", arguments: StoreKind.all)
    func openEvent(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        item.name = "two"
        #expect(context.undoManager?.canUndo == true)
        context.undoManager?.undo()
        #expect(item.name == "one")
        context.undoManager?.redo()
        #expect(item.name == "two")
    }

    @Test("one undo restores what a setter changed beside its property (KVC-10)", arguments: StoreKind.all)
    func sideEffect(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        context.event { item.name = "dead" }
        #expect(item.count == 0)
        context.undo()
        #expect(item.name == "one" && item.count == 7)
        context.redo()
        #expect(item.name == "dead" && item.count == 0)
    }

    @Test("a transient attribute is undone (KVC-17)", arguments: StoreKind.all)
    func transientAttribute(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        context.event { item.setValue("a", forKey: "note") }
        context.event { item.setValue("b", forKey: "note") }
        #expect(context.updatedObjects == [item])
        context.undo()
        #expect(item.value(forKey: "note") as? String == "a")
        context.undo()
        #expect(item.value(forKey: "note") == nil && !context.hasChanges)
        context.redo()
        context.redo()
        #expect(item.value(forKey: "note") as? String == "b")
    }

    @Test("a primitive value adds no undo step (KVC-08)", arguments: StoreKind.all)
    func primitiveValue(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        context.event { item.setPrimitiveValue("two", forKey: "name") }
        #expect(context.undoManager?.canUndo == false)
        context.event { item.setValue(9, forKey: "count") }
        context.undo()
        #expect(item.name == "two" && item.count == 7)
    }

    @Test("one undo removes an inserted object, not only its defaults (OBJ-19)", arguments: StoreKind.all)
    func oneUndoRemovesInsertedObject(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = context.item("one")
        context.endEvent()
        context.undo()
        #expect(context.insertedObjects.isEmpty && context.registeredObjects.isEmpty && !context.hasChanges)
        #expect(item.managedObjectContext == nil && context.undoManager?.canUndo == false)
        #expect(try context.all("Item").isEmpty)
        context.redo()
        #expect(context.insertedObjects == [item] && item.name == "one" && item.insertions == 1)
        try context.save()
        #expect(try context.all("Item") == [item])
        #expect(!item.objectID.isTemporaryID)
    }

    @Test("an insertion comes back with its relationships on both sides (CTX-10)", arguments: StoreKind.all)
    func insertionWithRelationships(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let context = stack.context
        let parent = try context.savedItem("parent")
        let (one, two) = (context.item("one"), context.item("two"))
        one.setValue(parent, forKey: "parent")
        one.setValue(two, forKey: "partner")
        one.setValue(NSOrderedSet(array: [parent, two]), forKey: "steps")
        two.setValue([parent, one] as Set, forKey: "tags")
        context.endEvent()
        context.undo()
        #expect(parent.set("children").isEmpty && parent.one("owner") == nil && parent.set("tagged").isEmpty)
        #expect(!context.hasChanges)
        context.redo()
        #expect(parent.set("children") == [one] && parent.one("owner") === one && two.one("admirer") === one)
        #expect(one.list("steps") == [parent, two] && one.set("tagged") == [two] && parent.set("tagged") == [two])
        try context.save()
        let reader = stack.newContext()
        defer { withExtendedLifetime(reader) {} }
        let read = try reader.all("Item", NSPredicate(format: "parent.name == 'parent'"))
        #expect(read.count == 1 && (read.first as? Item)?.list("steps").map(\.name) == ["parent", "two"])
    }

    @Test("an insertion saved meanwhile is undone as a deletion (CTX-10)", arguments: StoreKind.all)
    func savedInsertion(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let context = stack.context
        let parent = try context.savedItem("parent")
        let child = try context.savedItem("child")
        let item = context.item("one")
        item.setValue(parent, forKey: "parent")
        child.setValue(item, forKey: "parent")
        context.endEvent()
        try context.save()
        context.undo()
        #expect(context.deletedObjects == [item] && parent.set("children").isEmpty)
        #expect(child.one("parent") == nil && !child.isDeleted)
        context.redo()
        #expect(!context.hasChanges && parent.set("children") == [item] && item.set("children") == [child])
        context.undo()
        try context.save()
        #expect(
            try stack.newContext().all("Item", sortedBy: "name").map { ($0 as? Item)?.name } == ["child", "parent"])
        context.redo()
        #expect(context.insertedObjects == [item] && item.name == "one" && item.set("children") == [child])
        #expect(item.one("parent") === parent && child.one("parent") === item)
        try context.save()
        let reader = stack.newContext()
        defer { withExtendedLifetime(reader) {} }
        let read = try reader.all("Item", NSPredicate(format: "parent.parent.name == 'parent'"))
        #expect(read.map { ($0 as? Item)?.name } == ["child"])
    }

    @Test("a deletion with cascade and nullify comes back as one step (CTX-10)", arguments: StoreKind.all)
    func deletionWithCascadeAndNullifyComesBackAsOneStep(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let (parent, child, grandchild) = try family(context)
        context.event { context.delete(parent) }
        #expect(context.deletedObjects == [parent, child, grandchild])
        context.undo()
        #expect(!context.hasChanges && !parent.isDeleted && parent.set("children") == [child])
        #expect(child.one("parent") === parent && child.set("children") == [grandchild])
        context.redo()
        #expect(context.deletedObjects == [parent, child, grandchild])
        context.undo()
        #expect(!context.hasChanges)
    }

    private func family(_ context: NSManagedObjectContext) throws -> (Item, Item, Item) {
        let parent = try context.savedItem("parent")
        let child = try context.savedItem("child")
        let grandchild = try context.savedItem("grandchild")
        child.setValue(parent, forKey: "parent")
        grandchild.setValue(child, forKey: "parent")
        parent.setValue(grandchild, forKey: "partner")
        try context.save()
        context.undoManager?.removeAllActions()
        return (parent, child, grandchild)
    }

    @Test("a deletion that was saved is undone by inserting the objects again (CTX-12)", arguments: StoreKind.all)
    func savedDeletion(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let context = stack.context
        let (parent, child, grandchild) = try family(context)
        let picture = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let other = try context.savedItem("other")
        parent.setValue(picture, forKey: "picture")
        parent.setValue([other, child] as Set, forKey: "tags")
        parent.setValue(NSOrderedSet(array: [other, grandchild, child]), forKey: "path")
        try context.save()
        let former = parent.objectID
        context.undoManager?.removeAllActions()
        context.event { context.delete(parent) }
        try context.save()
        #expect(parent.managedObjectContext == nil && other.set("tagged").isEmpty)
        context.undo()
        #expect(context.insertedObjects == [parent, child, grandchild])
        #expect(parent.name == "parent" && parent.value(forKey: "picture") as? Data == picture)
        #expect(parent.set("tags") == [other, child] && other.set("tagged") == [parent])
        #expect(parent.list("path") == [other, grandchild, child] && parent.one("partner") === grandchild)
        try context.save()
        #expect(parent.objectID != former && !parent.objectID.isTemporaryID)
        let reader = stack.newContext()
        defer { withExtendedLifetime(reader) {} }
        let read = try #require(
            try reader.all("Item", NSPredicate(format: "name == 'parent'")).first as? Item)
        #expect(read.value(forKey: "picture") as? Data == picture)
        #expect(read.list("path").map(\.name) == ["other", "grandchild", "child"])
        #expect(read.set("children").first?.set("children").first?.name == "grandchild")
        context.redo()
        try context.save()
        #expect(try stack.newContext().all("Item").map { ($0 as? Item)?.name } == ["other"])
    }

    @Test("undo after a save makes the context dirty with the old value (CTX-12)", arguments: StoreKind.all)
    func undoAfterSave(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let context = stack.context
        let item = try context.savedItem("one")
        let (first, second) = (try context.savedItem("first"), try context.savedItem("second"))
        context.event {
            item.name = "two"
            item.setValue(first, forKey: "parent")
        }
        try context.save()
        context.event { item.setValue(second, forKey: "parent") }
        try context.save()
        context.undo()
        #expect(item.one("parent") === first && item.name == "two" && context.hasChanges && item.isUpdated)
        context.undo()
        #expect(item.name == "one" && item.one("parent") == nil && first.set("children").isEmpty)
        try context.save()
        let reader = stack.newContext()
        defer { withExtendedLifetime(reader) {} }
        let read = try #require(try reader.all("Item", NSPredicate(format: "name == 'one'")).first as? Item)
        #expect(read.one("parent") == nil)
        context.redo()
        context.redo()
        try context.save()
        #expect(second.set("children") == [item] && !context.hasChanges)
        context.undo()
        context.redo()
        #expect(!context.hasChanges)
    }

    @Test("re-parenting is undone on all sides (REL-13)", arguments: StoreKind.all)
    func reParentingIsUndoneOnAllSides(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let (first, second) = (try context.savedItem("first"), try context.savedItem("second"))
        let item = try context.savedItem("one")
        context.event { item.setValue(first, forKey: "parent") }
        context.event { item.setValue(second, forKey: "parent") }
        #expect(first.set("children").isEmpty && second.set("children") == [item])
        context.undo()
        #expect(first.set("children") == [item] && second.set("children").isEmpty)
        context.undo()
        #expect(first.set("children").isEmpty && item.one("parent") == nil && !context.hasChanges)
        context.redo()
        context.redo()
        #expect(first.set("children").isEmpty && second.set("children") == [item])
    }

    @Test("the order of members is undone (CTX-10)", arguments: StoreKind.all)
    func orderOfMembersIsUndone(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let context = stack.context
        let owner = try context.savedItem("owner")
        let items = try ["a", "b", "c", "d"].map(context.savedItem)
        owner.setValue(NSOrderedSet(array: items), forKey: "steps")
        owner.setValue(NSOrderedSet(array: items), forKey: "path")
        try context.save()
        context.undoManager?.removeAllActions()
        for key in ["steps", "path"] {
            context.event { owner.setValue(NSOrderedSet(array: items.reversed()), forKey: key) }
            context.undo()
            #expect(owner.list(key) == items && !context.hasChanges)
            context.redo()
            #expect(owner.list(key) == items.reversed())
            context.undo()
            context.event { owner.setValue(NSOrderedSet(array: [items[0], items[3]]), forKey: key) }
            context.undo()
            #expect(owner.list(key) == items && !context.hasChanges)
            context.redo()
            try context.save()
            context.undo()
            #expect(owner.list(key) == items)
            try context.save()
            let reader = stack.newContext()
            defer { withExtendedLifetime(reader) {} }
            let read = try reader.all("Item", NSPredicate(format: "name == 'owner'")).first as? Item
            #expect(read?.list(key).map(\.name) == ["a", "b", "c", "d"])
        }
    }

    @Test("each object gets one snapshot event when all values are in place (OBJ-21)", arguments: StoreKind.all)
    func snapshotEvents(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let (one, two) = (try context.savedItem("one"), try context.savedItem("two"))
        let new = context.item("new")
        context.event {
            one.name = "other"
            one.setValue(5, forKey: "count")
            context.delete(two)
        }
        context.undo()
        #expect(one.log == [NSSnapshotEventType.undoUpdate.rawValue] && one.cache == "one!")
        #expect(two.log == [NSSnapshotEventType.undoDeletion.rawValue] && new.log.isEmpty)
        context.redo()
        #expect(one.log.count == 2 && one.cache == "other!")
        #expect(
            two.log.last == NSSnapshotEventType.undoInsertion.rawValue
                && new.log.last == NSSnapshotEventType.undoDeletion.rawValue)
        context.rollback()
        #expect(one.log.last == NSSnapshotEventType.rollback.rawValue)
    }

    @Test("rollback and reset empty the undo stack (CTX-15)", arguments: StoreKind.all)
    func rollbackEmptiesStack(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        context.event { item.name = "two" }
        item.setValue(3, forKey: "count")
        context.rollback()
        #expect(context.undoManager?.canUndo == false && item.name == "one" && item.count == 7)
        context.event { item.name = "three" }
        context.undo()
        #expect(item.name == "one" && context.undoManager?.canRedo == true)
        context.reset()
        #expect(context.undoManager?.canUndo == false && context.undoManager?.canRedo == false)
    }

    @Test("nothing is kept without an undo manager (CTX-11)", arguments: StoreKind.all)
    func noManager(kind: StoreKind) throws {
        let stack = try Stack(UndoModel.make(), kind: kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        #expect(context.undoManager == nil)
        weak var probe: Item?
        try autoreleasepool {
            let item = context.item("one")
            probe = item
            try context.save()
            item.name = "two"
            try context.save()
            context.undo()
            context.redo()
        }
        #expect(probe == nil)
    }

    @Test(
        "redoing a relation and a deletion leaves the neighbour as it was saved (CTX-10)", arguments: StoreKind.all,
        ["path", "tags", "parent"])
    func redoneRelation(kind: StoreKind, key: String) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let (item, neighbour) = (context.item("one"), context.item("neighbour"))
        context.endEvent()
        switch key {
        case "path": item.setValue(NSOrderedSet(object: neighbour), forKey: key)
        case "tags": item.setValue(NSSet(object: neighbour), forKey: key)
        default: item.setValue(neighbour, forKey: key)
        }
        context.delete(item)
        context.endEvent()
        context.undo()
        try context.save()
        context.redo()
        context.processPendingChanges()
        #expect(context.updatedObjects.isEmpty && neighbour.changedValues().isEmpty)
        #expect(context.deletedObjects == [item])
    }

    @Test("what is changed while registration is disabled stays (CTX-10)", arguments: StoreKind.all)
    func disabledRegistration(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        item.name = "two"
        context.undoManager?.disableUndoRegistration()
        item.setValue(3, forKey: "count")
        context.undoManager?.enableUndoRegistration()
        item.setValue(2.5, forKey: "weight")
        context.endEvent()
        context.undo()
        #expect(item.name == "one" && item.count == 3 && item.value(forKey: "weight") == nil)
        #expect(context.undoManager?.canUndo == false)
    }

    @Test("the old values of the present event (OBJ-10)", arguments: StoreKind.all)
    func changedValuesForCurrentEvent(kind: StoreKind) throws {
        for manager in [nil, UndoManager()] {
            let stack = try Stack(UndoModel.make(), kind: kind)
            defer { withExtendedLifetime(stack) {} }
            let context = stack.context
            context.undoManager = manager
            let (item, other) = (try context.savedItem("one"), try context.savedItem("other"))
            item.name = "two"
            item.name = "three"
            item.setValue(other, forKey: "parent")
            #expect(Set(item.changedValuesForCurrentEvent().keys) == ["name", "parent"])
            #expect(item.changedValuesForCurrentEvent()["name"] as? String == "one")
            #expect(item.changedValuesForCurrentEvent()["parent"] is NSNull)
            #expect(other.changedValuesForCurrentEvent()["children"] as? Set<Item> == [])
            let seen = SeenValues()
            nonisolated(unsafe) let observed = item
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { _ in seen.names = observed.changedValuesForCurrentEvent().keys.sorted() }
            context.processPendingChanges()
            NotificationCenter.default.removeObserver(token)
            #expect(seen.names == ["name", "parent"])
            #expect(item.changedValuesForCurrentEvent().isEmpty)
            let new = context.item("new")
            #expect(new.changedValuesForCurrentEvent().isEmpty)
        }
    }

    private final class SeenValues: @unchecked Sendable { var names: [String] = [] }
}
