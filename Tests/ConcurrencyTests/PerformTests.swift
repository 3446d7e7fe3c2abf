import CoreData
import StoreContract
import TestBasics
import Testing

/// The forms of `perform`, and who may wait for whom.
@Suite(.timeLimit(.minutes(20))) struct PerformTests {
    enum Refusal: Error { case tooLate }

    private let stack: Stack
    private let a: NSManagedObjectContext
    private let b: NSManagedObjectContext

    init() throws {
        stack = try HeroModel.stack(.inMemory)
        a = stack.newContext()
        b = stack.newContext()
    }

    @Test("the type of a thrown error goes with the call (CTX-29)")
    func typedErrors() async {
        do throws(Refusal) {
            try a.performAndWait { () throws(Refusal) in throw .tooLate }
        } catch { #expect(error == .tooLate) }
        do throws(Refusal) {
            try await a.perform { () throws(Refusal) in throw .tooLate }
        } catch { #expect(error == .tooLate) }
        do throws(Refusal) {
            try await a.perform(schedule: .enqueued) { () throws(Refusal) in throw .tooLate }
        } catch { #expect(error == .tooLate) }
    }

    @Test("contexts that wait for each other on one thread do not deadlock (CTX-29)")
    func waitingInCircles() {
        let text = a.performAndWait {
            b.performAndWait {
                a.performAndWait {
                    b.performAndWait { a.insert("Hero", ["name": "Ann"]).value(forKey: "name") as? String }
                }
            }
        }
        #expect(text == "Ann")
        #expect(a.performAndWait { a.insertedObjects.count } == 1)
    }

    @Test("circles through the main queue, the coordinator's and a stranger's (CTX-29)")
    func waitingThroughOthers() async {
        let main = stack.context(.mainQueue)
        let stranger = DispatchQueue(label: "stranger")
        let (a, b, coordinator) = (a, b, stack.coordinator)
        let names = await Task.detached {
            a.performAndWait {
                main.performAndWait {
                    stranger.sync { () -> [String] in
                        coordinator.performAndWait {
                            b.performAndWait { () -> [String] in
                                a.performAndWait { _ = a.insert("Hero", ["name": "a"]) }
                                main.performAndWait { _ = main.insert("Hero", ["name": "main"]) }
                                return coordinator.performAndWait { ["a", "main"] }
                            }
                        }
                    }
                }
            }
        }.value
        #expect(names == ["a", "main"])
        #expect(await a.perform { a.insertedObjects.count } == 1)
        #expect(await main.perform { main.insertedObjects.count } == 1)
    }

    @Test("a queue is released after the block, and by threads that the block started (CTX-29)")
    func queuesAreLetGo() async {
        a.performAndWait {}
        let order = Notes<String>()
        let a = a
        a.performAndWait {
            let later: (@escaping @Sendable () -> Void) -> Void = { a.perform($0) }
            later { order.add("first") }
            Task.detached {
                // This waits its turn, since the block that started it still runs.
                a.performAndWait { order.add("second") }
            }
            order.add("block")
        }
        await eventually("the block of the other thread") { order.all.contains("second") }
        #expect(order.all.first == "block" && Set(order.all) == ["block", "first", "second"])
    }

    @Test("on its queue, an immediate block goes first and an enqueued one behind what waits (CTX-29)")
    func onItsQueueImmediateBlockGoesFirstAndEnqueuedOneBehind() async {
        let order = Notes<String>()
        let main = stack.context(.mainQueue)
        await Task { @MainActor in
            let later: (@escaping @Sendable () -> Void) -> Void = { main.perform($0) }
            later { order.add("waiting") }
            await main.perform(schedule: .immediate) { order.add("immediate") }
            await main.perform(schedule: .enqueued) { order.add("enqueued") }
        }.value
        #expect(order.all == ["immediate", "waiting", "enqueued"])
    }

    @Test("blocks within a block are one event, also where another context is between them (CTX-29)")
    func nestedBlocksAreOneEvent() {
        let events = Tally()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: a, queue: nil
        ) { _ in events.add() }
        defer { NotificationCenter.default.removeObserver(observer) }
        a.performAndWait {
            a.insert("Hero")
            b.performAndWait { a.performAndWait { _ = a.insert("Hero") } }
            #expect(events.value == 0)
        }
        #expect(events.value == 1)
    }

    @MainActor
    @Test("the main queue's context answers at once on the main actor, without waiting (CTX-29)")
    func mainActor() async {
        let main = stack.context(.mainQueue)
        let hero = main.insert("Hero", ["name": "Ann"])
        main.performAndWait { hero.setValue("Bea", forKey: "name") }
        #expect(hero.value(forKey: "name") as? String == "Bea")
        #expect(isOnMainQueue())
    }

    @Test("a thread waits for the main queue's context while the main queue is served (CTX-29)")
    func waitingForMain() async {
        let main = stack.context(.mainQueue)
        let onMain = await withCheckedContinuation { next in
            Thread.detachNewThread { next.resume(returning: main.performAndWait { isOnMainQueue() }) }
        }
        #expect(onMain)
    }

    @Test("the coordinator has the same forms, one block after another (CTX-29)")
    func coordinatorForms() async throws {
        let coordinator = stack.coordinator
        let order = Notes<Int>()
        let later: (@escaping @Sendable () -> Void) -> Void = { coordinator.perform($0) }
        for number in 0..<20 { later { order.add(number) } }
        #expect(coordinator.performAndWait { coordinator.performAndWait { order.all.count } } == 20)
        #expect(order.all == Array(0..<20))
        #expect(await coordinator.perform { coordinator.performAndWait { 7 } } == 7)
        await #expect(throws: Refusal.tooLate) { try await coordinator.perform { throw Refusal.tooLate } }
        #expect(throws: Refusal.tooLate) { try coordinator.performAndWait { throw Refusal.tooLate } }
    }

    @Test("a background task has a context of its own, on its queue (CTX-29)")
    func backgroundTask() async throws {
        let container = NSPersistentContainer(name: "Tasks", managedObjectModel: HeroModel.make())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let objectID = try await container.performBackgroundTask { context in
            let hero = context.insert("Hero", ["name": "Ann"])
            try context.save()
            return hero.objectID
        }
        let name = try await container.viewContext.perform {
            try container.viewContext.existingObject(with: objectID).value(forKey: "name") as? String
        }
        #expect(name == "Ann")
        await #expect(throws: Refusal.tooLate) {
            try await container.performBackgroundTask { _ in throw Refusal.tooLate }
        }
    }
}
