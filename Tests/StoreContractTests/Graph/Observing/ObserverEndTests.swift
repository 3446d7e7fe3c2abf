import CoreData
import StoreContract
import Testing

/// How observations end, and what they cost those who have none.
@Suite struct ObserverEndTests {
    @Test(
        "dropping the token ends; removing twice or never is harmless; others stay (KVC-12)", arguments: StoreKind.all)
    func droppingTokenEndsRemovingTwiceOrNeverIsHarmless(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = Hero(context: stack.context)
        var count = 0
        var first: NSKeyValueObservation? = hero.observe(\.name) { _, _ in count += 1 }
        let second = hero.observe(\.name) { _, _ in count += 100 }
        let listener = hero.listen("name")
        hero.name = "a"
        #expect(count == 101)
        first?.invalidate()
        first?.invalidate()
        first = nil
        hero.name = "b"
        #expect(count == 201)
        second.invalidate()
        hero.removeObserver(Listener(), forKeyPath: "name")
        hero.removeObserver(listener, forKeyPath: "strength")
        hero.removeObserver(listener, forKeyPath: "name")
        hero.removeObserver(listener, forKeyPath: "name")
        hero.name = "c"
        #expect(count == 201 && listener.heard.count == 2)
        #expect(stack.context.observedObjectCount == 0)
        _ = first
    }

    @Test("an observation keeps no object; its token outlives object and context (KVC-12)", arguments: StoreKind.all)
    func objectIsNotKept(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        weak var probe: Hero?
        var token: NSKeyValueObservation?
        var listener: Listener?
        do {
            let hero = try #require(try stack.context.all("Hero").first as? Hero)
            token = hero.observe(\.name) { _, _ in }
            listener = hero.listen("nemesis.name")
            probe = hero
        }
        #expect(probe == nil && stack.context.observedObjectCount == 0)
        token?.invalidate()
        token = nil
        listener = nil

        var context: NSManagedObjectContext? = stack.newContext()
        let hero = try #require(try context?.all("Hero").first as? Hero)
        token = hero.observe(\.name) { _, _ in }
        listener = hero.listen("nemesis.name")
        context = nil
        #expect(hero.managedObjectContext == nil)
        token?.invalidate()
        token = nil
        hero.name = "Bea"
        #expect(listener?.heard == [])
    }

    @Test("a reset, a deletion and a cancelled insertion leave observers in peace (KVC-12)", arguments: StoreKind.all)
    func endsOfObjects(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let (saved, deleted, cancelled) = (
            Hero(context: stack.context), Hero(context: stack.context), Hero(context: stack.context)
        )
        stack.context.delete(cancelled)
        try stack.context.save()
        var tokens: [NSKeyValueObservation] = []
        for hero in [saved, deleted, cancelled] {
            tokens.append(hero.observe(\.name, options: [.old, .new]) { _, _ in })
            tokens.append(hero.observe(\.nemesis, options: [.old, .new]) { _, _ in })
        }
        saved.nemesis = deleted
        stack.context.delete(deleted)
        try stack.context.save()
        #expect(saved.nemesis == nil && deleted.managedObjectContext == nil)
        for token in tokens[2...] { token.invalidate() }
        stack.context.reset()
        for token in tokens { token.invalidate() }
        tokens = []
        #expect(saved.keyObservers == nil && deleted.keyObservers == nil && cancelled.keyObservers == nil)
    }

    @Test("a re-fault, a save and an object without context keep observers (KVC-12)", arguments: StoreKind.all)
    func observersStay(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let entity = try #require(stack.model.entitiesByName["Hero"])
        let hero = Hero(entity: entity, insertInto: nil)
        let listener = hero.listen("name")
        hero.name = "Ann"
        stack.context.insert(hero)
        hero.name = "Bea"
        try stack.context.save()
        stack.context.refresh(hero, mergeChanges: false)
        hero.name = "Cid"
        try stack.context.save()
        stack.context.delete(hero)
        try stack.context.save()
        stack.context.insert(hero)
        hero.name = "Dan"
        #expect(listener.heard.count == 4)
        #expect(listener.heard.last?.hasSuffix(">Dan") == true)
    }

    @Test("an observed object may be released on any thread (KVC-12)", arguments: StoreKind.all)
    func releaseOnOtherThreads(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        context.performAndWait {
            for index in 0..<200 {
                let hero = Hero(context: context)
                hero.name = "\(index)"
                hero.nemesis = Hero(context: context)
            }
        }
        try context.performAndWait { try context.save() }
        for _ in 0..<5 {
            let box = Box()
            try context.performAndWait {
                for hero in try context.all("Hero", NSPredicate(format: "nemesis != nil")) {
                    box.objects.append(hero)
                    box.listeners += [hero.listen("nemesis.name"), hero.listen("name", [])]
                }
            }
            let listeners = box.listeners
            box.listeners = []
            DispatchQueue.concurrentPerform(iterations: 4) { part in
                let own = box.take(part)
                withExtendedLifetime(own) {}
            }
            context.performAndWait {
                for hero in (try? context.all("Hero")) ?? [] { hero.setValue("changed", forKey: "name") }
                context.rollback()
            }
            #expect(listeners.count == 400)
        }
        context.performAndWait { #expect(context.observedObjectCount == 0) }
    }

    /// Objects that several threads release.
    private final class Box: @unchecked Sendable {
        private let lock = NSLock()
        var objects: [NSManagedObject] = []
        var listeners: [Listener] = []

        func take(_ part: Int) -> [NSManagedObject] {
            lock.lock()
            defer { lock.unlock() }
            let count = part == 3 ? objects.count : min(50, objects.count)
            let taken = Array(objects.suffix(count))
            objects.removeLast(count)
            return taken
        }
    }

    @Test("10,000 changed objects without observers have no place for them (KVC-12)", arguments: StoreKind.all)
    func nothingWithoutObservers(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let heroes = (0..<10_000).map { _ in Hero(context: stack.context) }
        for (index, hero) in heroes.enumerated() {
            hero.name = "\(index)"
            hero.nemesis = heroes[(index + 1) % heroes.count]
            _ = (hero.name, hero.strength, hero.nemesis)
        }
        try stack.context.save()
        stack.context.refreshAllObjects()
        #expect(stack.context.observedObjectCount == 0)
        #expect(heroes.allSatisfy { $0.keyObservers == nil })
        let listener = heroes[5].listen("name")
        #expect(stack.context.observedObjectCount == 1)
        withExtendedLifetime(listener) {}
    }
}
