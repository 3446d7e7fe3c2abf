import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(20))) struct ContextQueueTests {
    private func context(
        _ stack: Stack, _ type: NSManagedObjectContext.ConcurrencyType
    ) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(type)
        context.persistentStoreCoordinator = stack.coordinator
        return context
    }

    private struct Failure: Error, Equatable {}

    @Test("performAndWait gives results and errors, nested too (CTX-29)", arguments: StoreKind.all)
    func performAndWaitNests(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = context(stack, .privateQueue)
        let count = context.performAndWait {
            context.performAndWait {
                context.insert("Hero")
                return context.insertedObjects.count
            }
        }
        #expect(count == 1)
        #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
    }

    @Test("perform runs blocks one after another, later (CTX-29)", arguments: StoreKind.all)
    func performRunsInOrder(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = context(stack, .privateQueue)
        let order = Mutex<[Int]>([])
        let later: (@escaping @Sendable () -> Void) -> Void = { context.perform($0) }
        for number in 0..<50 { later { order.withLock { $0.append(number) } } }
        await context.perform(schedule: .enqueued) {}
        #expect(order.withLock { $0 } == Array(0..<50))
    }

    @Test("asynchronous perform gives results and errors (CTX-29)", arguments: StoreKind.all)
    func asynchronousPerform(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = context(stack, .privateQueue)
        let name = try await context.perform {
            context.insert("Hero", ["name": "Ann"])
            try context.save()
            return try context.all("Hero").first?.value(forKey: "name") as? String
        }
        #expect(name == "Ann")
        await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
        let nested = await context.perform { context.performAndWait { 5 } }
        #expect(nested == 5)
    }

    @Test("an event on a private queue ends with the block (CTX-29)", arguments: StoreKind.all)
    func eventEndsWithBlock(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = context(stack, .privateQueue)
        let count = Mutex(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { _ in count.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(observer) }
        await context.perform {
            context.insert("Hero")
            context.insert("Hero")
        }
        #expect(count.withLock { $0 } == 1)
    }

    @MainActor
    @Test("the main queue's context works from the main actor, waiting included (CTX-29)", arguments: StoreKind.all)
    func mainContextWorksFromMainActor(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = context(stack, .mainQueue)
        let name = context.performAndWait { context.insert("Hero").value(forKey: "name") as? String }
        #expect(name == "Untitled Hero")
        let count = await context.perform { @Sendable in context.insertedObjects.count }
        #expect(count == 1)
        await context.perform(schedule: .enqueued) { @Sendable in }
    }

    @MainActor @Test("an event on the main queue ends when the queue comes to it (CTX-09)", arguments: StoreKind.all)
    func eventOnMainQueueEnds(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = context(stack, .mainQueue)
        let count = Mutex(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { _ in count.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(observer) }
        let hero = context.insert("Hero")
        hero.setValue("x", forKey: "name")
        #expect(count.withLock { $0 } == 0)
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(count.withLock { $0 } == 1)
    }

    @Test(arguments: StoreKind.all) func mainContextIsReachedFromOtherThreads(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let context = context(stack, .mainQueue)
        let count = await Task.detached {
            context.performAndWait {
                context.insert("Hero")
                return context.insertedObjects.count
            }
        }.value
        #expect(count == 1)
    }

    @Test("eight contexts insert at once and nothing is lost (CTX-28)", arguments: StoreKind.all)
    func contextsInsertAtOnce(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                let context = context(stack, .privateQueue)
                group.addTask {
                    try await context.perform {
                        for number in 0..<200 {
                            context.insert("Hero", ["strength": number])
                            if number % 50 == 49 { try context.save() }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stack.newContext().all("Hero").count == 1_600)
        #expect(Set(try stack.newContext().all("Hero").map(\.objectID)).count == 1_600)
    }

    @Test(
        "objects freed on other threads while contexts work stay unique and unharmed (OBJ-05, OBJ-29)",
        arguments: StoreKind.all)
    func objectsFreedOnOtherThreads(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        for number in 0..<400 { stack.context.insert("Hero", ["name": "H\(number)", "strength": number]) }
        try stack.context.save()
        let faults = Faults()
        let contexts = (0..<3).map { _ in context(stack, .privateQueue) }
        let deadline = Date(timeIntervalSinceNow: 2)
        await withTaskGroup(of: Void.self) { group in
            for (number, context) in contexts.enumerated() {
                group.addTask {
                    var seed = UInt64(number)
                    while Date() < deadline {
                        seed += 3
                        let start = seed
                        let bag = await context.perform { @Sendable in Self.work(context, start, faults) }
                        // The last references go on a thread of the pool, while the context goes on.
                        DispatchQueue.global().async { bag.empty() }
                    }
                }
            }
        }
        #expect(faults.all == [])
        #expect(stack.store.rowCache.count <= 400)
    }

    private static func work(
        _ context: NSManagedObjectContext, _ seed: UInt64, _ faults: Faults
    ) -> Bag {
        var random = SeededRandom(seed: seed)
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.fetchLimit = 1 + random.next(below: 400)
        guard let first = try? context.fetch(request), let second = try? context.fetch(request) else {
            faults.add("fetch failed")
            return Bag([])
        }
        if !zip(first, second).allSatisfy({ $0 === $1 }) { faults.add("not unique") }
        for hero in first where random.next(below: 4) == 0 {
            if hero.name != "H\(hero.strength)" { faults.add("wrong value") }
            if random.next(below: 8) == 0 { context.refresh(hero, mergeChanges: false) }
        }
        return Bag(first.filter { _ in random.next(below: 2) == 0 })
    }
}

/// Objects on their way to a thread where only their release happens.
final class Bag: @unchecked Sendable {
    private var objects: [NSManagedObject]
    init(_ objects: [NSManagedObject]) { self.objects = objects }
    func empty() { objects = [] }
}

/// What went wrong on any of the threads.
final class Faults: Sendable {
    private let found = Mutex<[String]>([])
    var all: [String] { found.withLock { $0 } }
    func add(_ fault: String) { found.withLock { $0.append(fault) } }
}
