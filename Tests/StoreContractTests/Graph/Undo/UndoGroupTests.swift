import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(20))) struct UndoGroupTests {
    @Test("each undo and redo is notified once (CTX-13)", arguments: StoreKind.all)
    func eachUndoAndRedoIsNotifiedOnce(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        let names: [NSNotification.Name] = [
            .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange,
            .NSUndoManagerDidRedoChange, .NSManagedObjectContextObjectsDidChange,
        ]
        let posted = Mutex<[String]>([])
        let tokens = names.map { name in
            let sender: AnyObject? = name == names[4] ? context : context.undoManager
            return NotificationCenter.default.addObserver(forName: name, object: sender, queue: nil) { note in
                posted.withLock { $0.append(note.name.rawValue) }
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        context.event {
            item.name = "two"
            item.setValue(context.item("other"), forKey: "parent")
        }
        posted.withLock { $0 = [] }
        context.undo()
        #expect(posted.withLock { $0 } == [names[0], names[4], names[1]].map(\.rawValue))
        posted.withLock { $0 = [] }
        context.redo()
        #expect(posted.withLock { $0 } == [names[2], names[4], names[3]].map(\.rawValue))
        context.undoManager?.removeAllActions()
        #expect(context.undoManager?.canUndo == false)
        context.undo()
        #expect(item.name == "two")
    }

    @Test(
        "an event that changes nothing leaves no step, and the next one has its own (CTX-10)", arguments: StoreKind.all)
    func eventsWithoutChanges(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let item = try context.savedItem("one")
        let manager = try #require(context.undoManager)
        for key in ["children", "steps"] {
            // What is announced as about to change, and is not.
            _ = item.set("children").count + item.list("steps").count
            context.event {
                item.willChangeValue(forKey: key)
                item.didChangeValue(forKey: key)
            }
            #expect(!manager.canUndo)
        }
        context.event { item.name = "two" }
        context.event { item.name = "three" }
        context.undo()
        #expect(item.name == "two" && manager.canUndo)
        context.undo()
        #expect(item.name == "one" && !manager.canUndo)
        context.redo()
        #expect(item.name == "two")
    }

    @Test("the notification names what came back, left and is as before (CTX-13)", arguments: StoreKind.all)
    func changeNotification(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let (item, gone) = (try context.savedItem("one"), try context.savedItem("gone"))
        let new = Mutex<[String: Set<String>]>([:])
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            let sets = note.userInfo as? [String: Set<NSManagedObject>] ?? [:]
            let names = sets.mapValues { Set($0.compactMap { ($0 as? Item)?.name }) }
            new.withLock { $0 = names }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        context.event {
            item.name = "two"
            context.delete(gone)
            _ = context.item("new")
        }
        context.undo()
        let undone = [NSUpdatedObjectsKey: ["one"], NSInsertedObjectsKey: ["gone"], NSDeletedObjectsKey: ["new"]]
        #expect(new.withLock { $0 } == undone.mapValues(Set.init))
        context.redo()
        let redone = [NSUpdatedObjectsKey: ["two"], NSDeletedObjectsKey: ["gone"], NSInsertedObjectsKey: ["new"]]
        #expect(new.withLock { $0 } == redone.mapValues(Set.init))
    }

    @Test("groups of the user's own, their names and the number of levels (CTX-10)", arguments: StoreKind.all)
    func userGroups(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let manager = try #require(context.undoManager)
        let item = try context.savedItem("0")
        manager.groupsByEvent = false
        for name in ["1", "2", "3", "4"] {
            manager.beginUndoGrouping()
            item.name = name + "-"
            context.processPendingChanges()
            manager.beginUndoGrouping()
            item.name = name
            manager.endUndoGrouping()
            manager.setActionName("Name \(name)")
            manager.endUndoGrouping()
        }
        #expect(manager.undoActionName == "Name 4" && manager.undoCount == 4)
        context.undo()
        #expect(item.name == "3" && manager.redoActionName == "Name 4" && manager.undoActionName == "Name 3")
        manager.levelsOfUndo = 2
        context.undo()
        context.undo()
        #expect(item.name == "1" && !manager.canUndo)
        context.redo()
        context.redo()
        #expect(item.name == "3" && manager.redoCount == 0)
    }

    @Test("nested groups are undone one by one (CTX-10)", arguments: StoreKind.all)
    func nestedGroups(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let manager = try #require(context.undoManager)
        let item = try context.savedItem("0")
        manager.beginUndoGrouping()
        item.name = "1"
        manager.beginUndoGrouping()
        item.name = "2"
        manager.endUndoGrouping()
        manager.undoNestedGroup()
        #expect(item.name == "1")
        manager.endUndoGrouping()
        manager.endEvent()
        context.undo()
        #expect(item.name == "0" && !context.hasChanges)
    }

    @Test("on a private queue each block is a step (CTX-10)", arguments: StoreKind.all)
    func privateQueue(kind: StoreKind) async throws {
        let stack = try UndoModel.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let work = Transfer(context)
        for name in ["one", "two"] {
            await context.perform(schedule: .enqueued) { _ = work.value.item(name) }
        }
        try context.performAndWait {
            for object in try context.all("Item") { object.setValue(3, forKey: "count") }
            context.processPendingChanges()
            for object in try context.all("Item") { object.setValue(4, forKey: "count") }
        }
        let counts = { try context.performAndWait { try context.all("Item").compactMap { ($0 as? Item)?.count } } }
        #expect(try counts() == [4, 4])
        context.performAndWait { context.undo() }
        #expect(try counts() == [7, 7])
        context.performAndWait { context.undo() }
        #expect(try counts().count == 1)
        context.performAndWait { context.redo() }
        context.performAndWait { context.redo() }
        #expect(try counts() == [4, 4])
    }

    private struct Transfer: @unchecked Sendable {
        let value: NSManagedObjectContext
        init(_ value: NSManagedObjectContext) { self.value = value }
    }

    @Test("on the main queue each turn is a step (CTX-10)", arguments: StoreKind.all)
    func mainQueue(kind: StoreKind) async throws {
        let stack = try Stack(UndoModel.make(), kind: kind)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        let work = Transfer(context)
        await context.perform {
            work.value.undoManager = UndoManager()
            _ = work.value.item("one")
        }
        for name in ["two", "three"] {
            await context.perform(schedule: .enqueued) {
                for object in work.value.insertedObjects { object.setValue(name, forKey: "name") }
            }
            await context.perform(schedule: .enqueued) {}
        }
        let names: [String?] = await context.perform {
            work.value.undo()
            let first = (work.value.insertedObjects.first as? Item)?.name
            work.value.undo()
            let second = (work.value.insertedObjects.first as? Item)?.name
            work.value.undo()
            return [first, second, "\(work.value.insertedObjects.count)"]
        }
        #expect(names == ["two", "one", "0"])
    }

    @Test("two contexts with one manager; the manager holds neither (CTX-10)", arguments: StoreKind.all)
    func sharedManager(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let manager = try #require(stack.context.undoManager)
        let item = try stack.context.savedItem("one")
        weak var probe: NSManagedObjectContext?
        weak var object: Item?
        try autoreleasepool {
            let second = stack.newContext()
            second.undoManager = manager
            probe = second
            let other = try #require(try second.all("Item").first as? Item)
            object = other
            stack.context.event { item.name = "two" }
            second.event {
                other.setValue(1, forKey: "count")
                second.item("new").setValue(other, forKey: "parent")
            }
            #expect(manager.undoCount == 2)
            manager.undo()
            #expect(other.count == 7 && item.name == "two" && other.set("children").isEmpty)
            manager.undo()
            #expect(item.name == "one")
            manager.redo()
            manager.redo()
            #expect(other.count == 1 && item.name == "two" && other.set("children").count == 1)
            manager.undo()
        }
        #expect(probe == nil && object == nil)
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(item.name == "one" && !manager.canUndo)
        stack.context.undoManager = nil
        #expect(!manager.canRedo)
    }

    @Test("after a failed save, rollback leaves nothing in the way (CTX-15)", arguments: StoreKind.all)
    func rollbackAfterFailedSave(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        context.undoManager = UndoManager()
        let hero = context.insert("Hero", ["name": "Ann"])
        try context.save()
        context.undoManager?.removeAllActions()
        hero.setValue(nil, forKey: "name")
        context.insert("Hero").setValue(nil, forKey: "name")
        expectError(1560) { try context.save() }
        context.rollback()
        #expect(context.undoManager?.canUndo == false && !context.hasChanges)
        hero.setValue("Bob", forKey: "name")
        try context.save()
        #expect(try stack.newContext().all("Hero").map { $0.value(forKey: "name") as? String } == ["Bob"])
        context.undo()
        #expect(hero.value(forKey: "name") as? String == "Ann")
    }

    @Test(
        "objects that were refreshed, reset or whose store is gone are passed over (CTX-10)", arguments: StoreKind.all)
    func refreshedObjects(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let context = stack.context
        let (item, other) = (try context.savedItem("one"), try context.savedItem("other"))
        context.event {
            item.name = "two"
            item.setValue(other, forKey: "parent")
        }
        context.refresh(item, mergeChanges: false)
        context.endEvent()
        context.undo()
        #expect(item.name == "one" && other.set("children").isEmpty)
        try context.save()
        context.event { other.name = "changed" }
        context.event { item.name = "three" }
        try stack.coordinator.remove(stack.store)
        context.undo()
        #expect(item.name != "three" && other.name == "changed")
        context.reset()
        #expect(context.undoManager?.canUndo == false && context.undoManager?.canRedo == false)
        context.undo()
        context.redo()
        #expect(item.managedObjectContext == nil && !context.hasChanges)
    }

    @Test(
        "a chain of 20,000 is undone, redone and let go of without overflow (HAZ-23)",
        arguments: StoreKind.forScaleTests)
    func longChain(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let context = stack.context
        weak var last: Item?
        do {
            var former: Item?
            for number in 0..<20_000 {
                let item = context.item("\(number)")
                item.setValue(former, forKey: "partner")
                former = item
                last = last ?? item
            }
        }
        context.endEvent()
        #expect(context.insertedObjects.count == 20_000)
        context.undo()
        #expect(context.insertedObjects.isEmpty && last != nil)
        context.redo()
        #expect(context.insertedObjects.count == 20_000)
        context.undo()
        context.undoManager?.removeAllActions()
        #expect(last == nil)
    }

    @Test("a hundred thousand changes are one step (CTX-10)", arguments: StoreKind.forScaleTests)
    func manyChanges(kind: StoreKind) throws {
        let stack = try UndoModel.stack(kind)
        let context = stack.context
        let (item, owner) = (try context.savedItem("one"), try context.savedItem("owner"))
        context.event {
            for number in 0..<100_000 {
                item.setValue(number, forKey: "count")
                item.setValue(number % 2 == 0 ? owner : nil, forKey: "parent")
            }
        }
        #expect(item.count == 99_999 && context.undoManager?.undoCount == 1)
        context.undo()
        #expect(item.count == 7 && item.one("parent") == nil && !context.hasChanges)
        context.redo()
        #expect(item.count == 99_999 && item.one("parent") == nil && owner.set("children").isEmpty)
    }
}
