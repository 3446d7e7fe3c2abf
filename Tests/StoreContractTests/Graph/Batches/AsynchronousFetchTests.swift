import CoreData
import StoreContract
import Synchronization
import Testing

/// Fetches that go on after `execute(_:)` has returned.
@Suite(.timeLimit(.minutes(20))) struct AsynchronousFetchTests {
    /// What a completion block saw, on its way out of the context's queue.
    private struct Seen: Sendable {
        var strengths: [Int] = []
        var total: Int64 = 0
        var completed: Int64 = 0
        var code: Int?
        /// How often other work had its turn when all rows had been read, and objects were being made of them.
        var turns = 0
    }

    /// Executes a request, keeps other work coming to the queue meanwhile, and gives what came of it.
    private func run(
        _ context: NSManagedObjectContext, _ prepare: @escaping @Sendable () throws -> NSFetchRequest<Hero>,
        rows: Int = 0, estimate: Int = 0, cancel: Bool = false
    ) async throws -> Seen {
        let turns = Mutex(0)
        return try await withCheckedThrowingContinuation { continuation in
            let isOver = Mutex(false)
            let ticker = Ticker()
            ticker.body = {
                if isOver.withLock({ $0 }) { ticker.body = nil }
                if ticker.progress?.completedUnitCount == Int64(rows) { turns.withLock { $0 += 1 } }
                if let body = ticker.body { context.perform(body) }
            }
            context.perform {
                do {
                    let request = NSAsynchronousFetchRequest(fetchRequest: try prepare()) { result in
                        isOver.withLock { over in
                            over = true
                        }
                        var seen = Seen()
                        seen.strengths = result.finalResult?.map { Int($0.strength) } ?? []
                        seen.total = result.progress?.totalUnitCount ?? 0
                        seen.completed = result.progress?.completedUnitCount ?? 0
                        seen.code = (result.operationError as NSError?)?.code
                        seen.turns = turns.withLock { $0 }
                        continuation.resume(returning: seen)
                        withExtendedLifetime(ticker) {}
                    }
                    request.estimatedResultCount = estimate
                    let result = try context.execute(request) as? NSAsynchronousFetchResult<Hero>
                    #expect(result?.finalResult == nil && result?.managedObjectContext === context)
                    #expect(result?.progress?.totalUnitCount == Int64(estimate > 0 ? estimate : -1))
                    ticker.progress = result?.progress
                    if cancel { result?.cancel() }
                    if let body = ticker.body { context.perform(body) }
                } catch { continuation.resume(throwing: error) }
            }
        }
    }

    private final class Ticker: @unchecked Sendable {
        var body: (@Sendable () -> Void)?
        var progress: Progress?
    }

    @Test(
        "100,000 rows come with progress while the queue goes on with other work (FET-26)",
        arguments: StoreKind.forScaleTests)
    func otherWorkGoesOn(kind: StoreKind) async throws {
        let shelves = try Shelves(kind)
        try shelves.fill((0..<100_000).lazy.map { $0 % 30_000 })
        for type in [NSManagedObjectContext.ConcurrencyType.mainQueue, .privateQueue] {
            let context = NSManagedObjectContext(type)
            context.persistentStoreCoordinator = shelves.stack.coordinator
            let seen = try await run(context, { Shelves.request(by: "name") }, rows: 100_000, estimate: 90_000)
            #expect(seen.strengths.count == 100_000 && seen.code == nil)
            #expect(seen.strengths.enumerated().allSatisfy { $0.element == $0.offset % 30_000 })
            #expect(seen.total == 100_000 && seen.completed == 100_000)
            #expect(seen.turns >= 50)
        }
    }

    @Test(
        "an asynchronous fetch gives what a fetch gives, with unsaved changes and limits (FET-05, FET-28)",
        arguments: StoreKind.all, [1, 3])
    func agreesWithFetch(kind: StoreKind, stores: Int) async throws {
        let shelves = try Shelves(kind, stores: stores)
        try shelves.fill((0..<300).map { $0 * 7 % 300 })
        for context in [shelves.context(isChild: false), shelves.context(isChild: true)] {
            for isChanged in [false, true] {
                let request: @Sendable () throws -> NSFetchRequest<Hero> = {
                    let request = Shelves.request(by: "strength", "name")
                    (request.fetchOffset, request.fetchLimit) = (40, 100)
                    return request
                }
                let expected = try await context.perform {
                    if isChanged {
                        let heroes = try context.fetch(Shelves.request(by: "strength"))
                        heroes[50].strength = 1_000
                        context.delete(heroes[51])
                        context.insert("Hero", ["name": "new", "strength": 99])
                    }
                    return try context.fetch(request()).map { Int($0.strength) }
                }
                #expect(try await run(context, request).strengths == expected && expected.count == 100)
            }
        }
    }

    @Test("a cancelled fetch gives a cancelled error and no result (FET-26)", arguments: StoreKind.all)
    func cancelledFetchGivesCancelledErrorAndNoResult(kind: StoreKind) async throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<5_000)
        let seen = try await run(shelves.stack.newContext(), { Shelves.request(by: "name") }, cancel: true)
        #expect(seen.code == CocoaError.userCancelled.rawValue && seen.strengths.isEmpty)
    }

    @Test("errors come at once where the request is wrong, later where the store is (FET-26)", arguments: StoreKind.all)
    func errorsComeAtOnceWhereRequestIsWrong(kind: StoreKind) async throws {
        let shelves = try Shelves(kind)
        let context = shelves.stack.newContext()
        await #expect(throws: NSError.self) { try await run(context, { NSFetchRequest(entityName: "Nobody") }) }
        #expect(try await run(context, { Shelves.request(by: "teams") }).code == NSCoreDataError)
    }

    @Test("identifiers and numbers are fetched asynchronously too (FET-10, FET-26)", arguments: StoreKind.all)
    func otherResultTypes(kind: StoreKind) async throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<10)
        let context = shelves.stack.newContext()
        let count: Int? = try await withCheckedThrowingContinuation { continuation in
            context.perform {
                let request = NSFetchRequest<NSNumber>(entityName: "Hero")
                request.resultType = .countResultType
                do {
                    try context.execute(
                        NSAsynchronousFetchRequest(fetchRequest: request) {
                            continuation.resume(returning: $0.finalResult?.first?.intValue)
                        })
                } catch { continuation.resume(throwing: error) }
            }
        }
        #expect(count == 10)
        let identifiers: [NSManagedObjectID] = try await withCheckedThrowingContinuation { continuation in
            context.perform {
                let request = NSFetchRequest<NSManagedObjectID>(entityName: "Hero")
                request.resultType = .managedObjectIDResultType
                do {
                    try context.execute(
                        NSAsynchronousFetchRequest(fetchRequest: request) {
                            continuation.resume(returning: $0.finalResult ?? [])
                        })
                } catch { continuation.resume(throwing: error) }
            }
        }
        #expect(Set(identifiers).count == 10)
    }

    @Test("a request executes in the context whose block it is in, and nowhere else (FET-01)", arguments: StoreKind.all)
    func executesInCurrentContext(kind: StoreKind) async throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<3)
        let (a, b) = (shelves.stack.newContext(), shelves.stack.newContext())
        let error = #expect(throws: NSError.self) { try Shelves.request().execute() }
        #expect(error?.localizedRecoverySuggestion?.contains("perform") == true)
        try a.performAndWait {
            a.insert("Hero", ["name": "unsaved"])
            #expect(try Shelves.request().execute().count == 4)
            try b.performAndWait {
                let found = try Shelves.request().execute()
                #expect(found.count == 3 && found.allSatisfy { $0.managedObjectContext === b })
            }
            let nested = try a.performAndWait { try Shelves.request().execute().count }
            #expect(nested == 4)
        }
        #expect(try await b.perform { try Shelves.request().execute().count } == 3)
        await #expect(throws: NSError.self) {
            try await shelves.stack.coordinator.perform { _ = try Shelves.request().execute() }
        }
    }
}
