import CoreData
import StoreContract
import Testing

@Suite(.timeLimit(.minutes(20))) struct ObjectChangesTests {
    private static func texts(_ changes: KeyChanges) async -> [String] {
        var result: [String] = []
        for await change in changes {
            result.append("\(change.key) \(Listener.text(change.old))>\(Listener.text(change.new))")
        }
        return result
    }

    @Test("a sequence of changes ends when the object is deleted and saved (KVC-11)", arguments: StoreKind.all)
    func endsWithDeletion(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let changes = try context.performAndWait {
            let hero = Hero(context: context)
            hero.name = "Ann"
            let changes = hero.changes(of: \.name, \.strength)
            hero.name = nil
            hero.strength = 3
            hero.birthDate = Date()
            hero.name = "Bea"
            try context.save()
            context.delete(hero)
            try context.save()
            return changes
        }
        #expect(await Self.texts(changes) == ["name Ann>nil", "strength nil>3", "name nil>Bea"])
    }

    @Test("a sequence of changes ends with a reset, with the context and with the object (KVC-11)")
    func endsWithTheContext() async throws {
        let stack = try HeroModel.stack(.inMemory)
        let hero = Hero(context: stack.context)
        let reset = hero.changes(for: ["name", "nemesis.name"])
        hero.name = "Ann"
        stack.context.reset()
        #expect(await Self.texts(reset) == ["name Untitled Hero>Ann"])
        var context: NSManagedObjectContext? = stack.newContext()
        let orphan = context.map { Hero(context: $0) }
        let closed = try #require(orphan?.changes(of: \.name))
        context = nil
        #expect(await Self.texts(closed).isEmpty)
        var entity = Optional(Hero(entity: try #require(stack.model.entitiesByName["Hero"]), insertInto: nil))
        let gone = try #require(entity?.changes(of: \.strength))
        entity?.strength = 2
        entity = nil
        #expect(await Self.texts(gone) == ["strength nil>2"])
    }

    @Test("a cancelled reader leaves no observer, by the context's queue (KVC-12)", arguments: StoreKind.all)
    func cancelledReaderLeavesNoObserver(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let objectID = context.performAndWait {
            let hero = Hero(context: context)
            hero.name = "Ann"
            return hero.objectID
        }
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let reader = Task {
            let changes = await context.perform {
                (context.object(with: objectID) as? Hero)?.changes(of: \.name)
            }
            signal.yield()
            var names: [String] = []
            for await change in try #require(changes) { names.append(change.new as? String ?? "nil") }
            return names
        }
        for await _ in started { break }
        await context.perform {
            #expect(context.observedObjectCount == 1)
            context.object(with: objectID).setValue("Bea", forKey: "name")
        }
        reader.cancel()
        let names = try await reader.value
        #expect(names.isEmpty || names == ["Bea"])
        for _ in 0..<1_000 where await context.perform({ context.observedObjectCount > 0 }) { await Task.yield() }
        #expect(await context.perform { context.observedObjectCount } == 0)
    }

    @Test("changes of a view context's object are read on the main actor (KVC-11)")
    @MainActor func onTheMainActor() async throws {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = try HeroModel.stack(.inMemory).coordinator
        let hero = Hero(context: context)
        let changes = hero.changes(of: \.name)
        let reader = Task { @MainActor in
            var names: [String] = []
            for await change in changes {
                names.append(change.new as? String ?? "nil")
                if names.count == 3 { break }
            }
            return names
        }
        for name in ["a", "b", "c"] {
            hero.name = name
            await Task.yield()
        }
        #expect(await reader.value == ["a", "b", "c"])
    }
}
