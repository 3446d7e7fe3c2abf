import CoreData
import StoreContract
import TestBasics
import Testing

/// Results that are walked through in constant memory.
@Suite(.timeLimit(.minutes(20))) struct StreamTests {
    @Test("50,000 objects stream while few live, and no row stays known (FET-08)", arguments: StoreKind.all)
    func fewObjectsLive(kind: StoreKind) throws {
        let shelves = try Shelves(kind)
        try shelves.fill((0..<50_000).lazy.map { $0 % 30_000 })
        let context = shelves.stack.newContext()
        var (count, most) = (0, 0)
        try context.objects(of: Shelves.request(by: "name"), batchSize: 500).enumerateObjects { hero in
            #expect(!hero.isFault && hero.name == Shelves.name(count))
            count += 1
            if count % 250 == 0 { most = max(most, context.registeredObjects.count) }
        }
        #expect(count == 50_000 && most > 0 && most <= 500)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test(
        "a stream gives what a fetch gives, with unsaved changes, limits and several stores (FET-05, FET-28)",
        arguments: StoreKind.all, [1, 3])
    func agreesWithFetch(kind: StoreKind, stores: Int) throws {
        let shelves = try Shelves(kind, stores: stores)
        try shelves.fill((0..<300).map { $0 * 7 % 300 })
        for context in [shelves.context(isChild: false), shelves.context(isChild: true)] {
            for isChanged in [false, true] {
                if isChanged {
                    let heroes = try context.fetch(Shelves.request(by: "strength"))
                    heroes[5].strength = 1_000
                    context.delete(heroes[6])
                    context.insert("Hero", ["name": "new", "strength": 150])
                }
                let request = Shelves.request(by: "strength", "name")
                for (offset, limit) in [(0, 0), (3, 10), (290, 20), (500, 1)] {
                    (request.fetchOffset, request.fetchLimit) = (offset, limit)
                    var streamed: [Hero] = []
                    try context.objects(of: request, batchSize: 9).enumerateObjects { streamed.append($0) }
                    let fetched = try context.fetch(request)
                    #expect(streamed == fetched)
                }
            }
        }
    }

    @Test("saves in between do not disturb a stream (FET-08)", arguments: StoreKind.all)
    func seesOneMoment(kind: StoreKind) throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<100)
        let context = shelves.stack.newContext()
        var iterator = context.objects(of: Shelves.request(by: "strength"), batchSize: 10).makeAsyncIterator()
        #expect(try iterator.next()?.strength == 0)
        let writer = shelves.stack.newContext()
        for hero in try writer.fetch(Shelves.request()) {
            if hero.strength % 2 == 0 { writer.delete(hero) } else { hero.name = "changed" }
        }
        for number in 0..<50 { writer.insert("Hero", ["name": "added", "strength": number]) }
        try writer.save()
        var seen = [Int16(0)]
        while let hero = try iterator.next() {
            seen.append(hero.strength)
            #expect(hero.name == Shelves.name(seen.count - 1))
        }
        let further = try iterator.next()
        #expect(seen == Array(0..<100) && further == nil)
    }

    @Test("objects that are changed and saved on the way are the context's own (FET-08)", arguments: StoreKind.all)
    func changesOnTheWay(kind: StoreKind) throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<100)
        let context = shelves.stack.newContext()
        var number = 0
        try context.objects(of: Shelves.request(by: "strength"), batchSize: 8).enumerateObjects { hero in
            hero.name = "saved"
            number += 1
            if number % 10 == 0 { try context.save() }
        }
        #expect(!context.hasChanges)
        let names = try shelves.stack.newContext().fetch(Shelves.request()).map(\.name)
        #expect(names == Array(repeating: "saved", count: 100))
    }

    @Test("errors end a stream (FET-08)", arguments: StoreKind.all) func errorsEnd(kind: StoreKind) throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<30)
        let context = shelves.stack.newContext()
        let unsortable = Shelves.request(by: "teams")
        expectError(134060) { try context.objects(of: unsortable).enumerateObjects { _ in } }
        var iterator = context.objects(of: Shelves.request(), batchSize: 5).makeAsyncIterator()
        #expect(try iterator.next() != nil)
        try shelves.stack.coordinator.remove(shelves.stack.store)
        if kind.type == NSSQLiteStoreType {
            for _ in 1..<5 { _ = try iterator.next() }
            expectError(134070) { try iterator.next() }
        }
        #expect(try context.fetch(Shelves.request()).isEmpty)
    }

    @Test("a pinned context streams its moment (FET-08)") func pinnedContextStreamsItsMoment() throws {
        let shelves = try Shelves(.sqlite)
        try shelves.fill(0..<20)
        let context = shelves.stack.newContext()
        try context.setQueryGenerationFrom(.current)
        _ = try context.count(for: Shelves.request())
        try shelves.fill(20..<40)
        var count = 0
        try context.objects(of: Shelves.request(), batchSize: 6).enumerateObjects { _ in count += 1 }
        #expect(count == 20)
    }

    @Test("the main actor walks a main-queue context, and other work has its turn (FET-08)", arguments: StoreKind.all)
    @MainActor func mainActorWalks(kind: StoreKind) async throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<1_000)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = shelves.stack.coordinator
        var turns = 0
        let other = Task { @MainActor in
            while !Task.isCancelled {
                turns += 1
                await Task.yield()
            }
        }
        var seen = 0
        for try await hero in context.objects(of: Shelves.request(by: "strength"), batchSize: 50) {
            #expect(Int(hero.strength) == seen)
            seen += 1
        }
        other.cancel()
        // How many turns is the executor's choice; without a suspension there would be none.
        #expect(seen == 1_000 && turns > 0)
    }

    @Test("values stream to anywhere, made on the context's queue (FET-08)", arguments: StoreKind.all)
    func valuesStream(kind: StoreKind) async throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<1_000)
        let context = shelves.stack.newContext()
        var seen: [Int] = []
        for try await strength in context.stream(Shelves.request(by: "strength"), batchSize: 64, { Int($0.strength) }) {
            seen.append(strength)
        }
        #expect(seen == Array(0..<1_000))
        let isEmpty = await context.perform { context.registeredObjects.isEmpty }
        #expect(isEmpty)
    }

    @Test("cancelling the task ends a stream (FET-08)", arguments: StoreKind.all)
    func cancellationEnds(kind: StoreKind) async throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<1_000)
        let context = shelves.stack.newContext()
        let values = context.stream(Shelves.request(), batchSize: 10) { Int($0.strength) }
        let task = Task {
            var seen = 0
            for try await _ in values {
                seen += 1
                if seen == 20 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return seen
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try shelves.stack.coordinator.remove(shelves.stack.store)
    }
}
