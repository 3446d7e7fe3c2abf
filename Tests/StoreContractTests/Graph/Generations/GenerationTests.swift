import CoreData
import StoreContract
import TestBasics
import Testing

/// Contexts that read their stores at one moment.
@Suite struct GenerationTests {
    /// A stack with three saved items, and a pinned context.
    private func scene(_ kind: StoreKind) throws -> (Stack, NSManagedObjectContext) {
        let stack = try Stack(UndoModel.make(), kind: kind)
        for name in ["a", "b", "c"] { _ = try stack.context.make(name) }
        try stack.context.find("b")?.setValue(try stack.context.have("a"), forKey: "parent")
        try stack.context.save()
        let pinned = stack.newContext()
        try pinned.setQueryGenerationFrom(.current)
        return (stack, pinned)
    }

    @Test("a pinned context goes on seeing what it saw at its first look (CTX-06)") func pinnedContextSeesOneMoment()
        throws
    {
        let (stack, pinned) = try scene(.sqlite)
        #expect(pinned.queryGenerationToken === NSQueryGenerationToken.current)
        #expect(try pinned.names() == ["a", "b", "c"])
        let token = try #require(pinned.queryGenerationToken)
        #expect(token !== NSQueryGenerationToken.current)

        let writer = stack.context
        try writer.have("a").name = "changed"
        writer.delete(try writer.have("c"))
        _ = try writer.make("d")
        try writer.have("b").setValue(nil, forKey: "parent")
        try writer.save()
        #expect(try stack.newContext().names() == ["b", "changed", "d"])
        #expect(try pinned.names() == ["a", "b", "c"] && pinned.queryGenerationToken === token)
        #expect(try pinned.count(for: NSFetchRequest<Item>(entityName: "Item")) == 3)

        let fresh = stack.newContext()
        try fresh.setQueryGenerationFrom(token)
        #expect(try fresh.have("a").set("children").compactMap(\.name) == ["b"])
        #expect(try fresh.have("c").name == "c" && fresh.find("d") == nil)
        let a = try fresh.have("a")
        fresh.refresh(a, mergeChanges: false)
        #expect(a.name == "a")

        try pinned.setQueryGenerationFrom(nil)
        #expect(pinned.queryGenerationToken == nil)
        #expect(try pinned.names() == ["b", "changed", "d"])
    }

    @Test("a save and a reset move a pinned context on (CTX-06)") func savesAndResetsAdvance() throws {
        let (stack, pinned) = try scene(.sqlite)
        #expect(try pinned.names().count == 3)
        _ = try stack.context.make("d")
        try stack.context.save()
        _ = try pinned.make("e")
        try pinned.save()
        #expect(pinned.queryGenerationToken === NSQueryGenerationToken.current)
        #expect(try pinned.names() == ["a", "b", "c", "d", "e"])
        try stack.context.have("d").name = "f"
        try stack.context.save()
        #expect(try pinned.names().contains("d"))
        pinned.reset()
        #expect(try pinned.names() == ["a", "b", "c", "e", "f"])
    }

    @Test("a pinned context's save over newer rows is a conflict (CTX-21)") func staleChangeIsRefused() throws {
        let (stack, pinned) = try scene(.sqlite)
        let item = try pinned.have("a")
        item.setValue(5.0, forKey: "weight")
        try stack.context.have("a").name = "newer"
        try stack.context.save()
        let error = #expect(throws: NSError.self) { try pinned.save() }
        #expect(error?.code == NSManagedObjectMergeError && item.value(forKey: "weight") as? Double == 5.0)
    }

    @Test("stores without moments are read as they are (CTX-06)") func otherStoresAreReadAsTheyAre() throws {
        let (stack, pinned) = try scene(.inMemory)
        #expect(try pinned.names().count == 3)
        _ = try stack.context.make("d")
        try stack.context.save()
        #expect(try pinned.names() == ["a", "b", "c", "d"])
    }

    @Test("tokens of other coordinators and children of contexts are refused (CTX-06)") func foreignTokensAreRefused()
        throws
    {
        let (stack, pinned) = try scene(.sqlite)
        let (other, _) = try scene(.sqlite)
        _ = try pinned.names()
        expectError(134060) { try other.context.setQueryGenerationFrom(pinned.queryGenerationToken) }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        expectError(134060) { try child.setQueryGenerationFrom(.current) }
    }

    @Test("a child of a pinned context reads its moment (CTX-07)") func childrenReadTheMoment() throws {
        let (stack, pinned) = try scene(.sqlite)
        _ = try pinned.names()
        try stack.context.have("a").name = "changed"
        try stack.context.save()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = pinned
        #expect(try child.names() == ["a", "b", "c"])
    }

    @Test("the notification of a pinned context's save has the moment that the save led to (CTX-06)")
    @MainActor func savesTellTheirMoment() throws {
        let (stack, pinned) = try scene(.sqlite)
        let main = NSManagedObjectContext(.mainQueue)
        main.persistentStoreCoordinator = stack.coordinator
        var moments: [NSQueryGenerationToken?] = []
        let token = NotificationCenter.default.addObserver(of: main, for: .didSave) { message in
            MainActor.assumeIsolated { moments.append(message.queryGeneration) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        _ = try main.make("d")
        try main.save()
        try main.setQueryGenerationFrom(.current)
        _ = try main.make("e")
        try main.save()
        #expect(moments.count == 2 && moments.first == .some(nil))
        let moment = try #require(moments.last ?? nil)
        _ = try stack.context.make("f")
        try stack.context.save()
        try pinned.setQueryGenerationFrom(moment)
        #expect(try pinned.names() == ["a", "b", "c", "d", "e"])
        let again = NSManagedObjectContext.DidSaveMessage.makeNotification(
            try #require(
                NSManagedObjectContext.DidSaveMessage.makeMessage(
                    Notification(
                        name: .NSManagedObjectContextDidSave, object: main,
                        userInfo: [NSManagedObjectContextQueryGenerationKey: moment]))))
        #expect(again.userInfo?[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken === moment)
    }

    @Test(
        "a moment survives five thousand new rows, and is released with the last context pinned to it (CTX-06)",
        .timeLimit(.minutes(20)))
    func momentIsLetGo() throws {
        let (stack, pinned) = try scene(.sqlite)
        _ = try pinned.names()
        for round in 0..<5 {
            for number in 0..<1_000 { _ = try stack.context.make("\(round) \(number)") }
            try stack.context.save()
        }
        #expect(try pinned.names() == ["a", "b", "c"])
        weak let moment = pinned.queryGenerationToken
        #expect(moment != nil)
        try pinned.setQueryGenerationFrom(nil)
        #expect(moment == nil)
        #expect(try pinned.count(for: NSFetchRequest<Item>(entityName: "Item")) == 5_003)
        try stack.coordinator.remove(stack.store)
    }
}
