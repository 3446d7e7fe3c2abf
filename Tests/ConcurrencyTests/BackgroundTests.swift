import CoreData
import StoreContract
import TestBasics
import Testing

/// Work beside the main queue, and who hears of it there.
@Suite(.timeLimit(.minutes(20))) struct BackgroundTests {
    private static let batches = 10

    @Test(
        "while 10,000 rows are imported the main queue's context answers between the batches (CTX-32)",
        arguments: StoreKind.all)
    func while10000RowsAreImportedMainQueuesContextAnswers(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let main = stack.context(.mainQueue)
        let background = stack.context(.privateQueue)
        let (answers, isDone) = (Notes<Int>(), Tally())
        let probe = Task { @MainActor in
            while isDone.value == 0 {
                answers.add(try main.count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero")))
                await Task.yield()
            }
        }
        // One block for all batches: the queue of the import is never free before its end.
        let waits = try await background.perform {
            var waits = 0
            for batch in 0..<Self.batches {
                for number in 0..<1_000 { background.insert("Hero", ["name": "\(batch)", "strength": number]) }
                try background.save()
                background.reset()
                // Waits for an answer that was asked for after this batch was saved: the second from here.
                let before = answers.all.count
                guard eventually("two answers of the main queue", { answers.all.count >= before + 2 }) else { break }
                waits += 1
            }
            return waits
        }
        isDone.add()
        try await probe.value
        #expect(waits == Self.batches)
        let counts = answers.all
        #expect(counts == counts.sorted() && counts.allSatisfy { $0 % 1_000 == 0 })
        #expect(Set(counts).isSuperset(of: (1...Self.batches).map { $0 * 1_000 }))
        let shown = try await main.perform { try main.all("Hero").count }
        #expect(shown == 10_000)
    }

    @Test("a handler registered for the main queue runs there (CTX-33)", arguments: StoreKind.all)
    func handlerOnMainQueue(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let background = stack.context(.privateQueue)
        let places = Notes<Bool>()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: background, queue: .main
        ) { _ in
            places.add(isOnMainQueue())
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await background.perform {
            #expect(!isOnMainQueue())
            background.insert("Hero")
            try background.save()
        }
        await eventually("the handler") { !places.all.isEmpty }
        #expect(places.all == [true])
    }

    @Test("the poster waits for the main queue where the handler waits (CTX-33)", arguments: StoreKind.all)
    func posterWaits(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let (background, main) = (stack.context(.privateQueue), stack.context(.mainQueue))
        let order = Notes<String>()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: background, queue: nil
        ) { _ in main.performAndWait { order.add(isOnMainQueue() ? "main" : "elsewhere") } }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await background.perform {
            background.insert("Hero")
            try background.save()
            order.add("saved")
        }
        #expect(order.all == ["main", "saved"])
    }

    @Test("the poster goes on where the handler does not wait (CTX-33)", arguments: StoreKind.all)
    func posterGoesOn(kind: StoreKind) async throws {
        let stack = try HeroModel.stack(kind)
        let (background, main) = (stack.context(.privateQueue), stack.context(.mainQueue))
        let order = Notes<String>()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: background, queue: nil
        ) { _ in main.perform { order.add(isOnMainQueue() ? "main" : "elsewhere") } }
        defer { NotificationCenter.default.removeObserver(observer) }
        // The main queue is busy until the save is over. Meanwhile nothing here may need a thread of the pool, all of
        // which other tests may have waiting for the main queue.
        try await withCheckedThrowingContinuation { (next: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                let (busy, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                DispatchQueue.main.async {
                    busy.signal()
                    gate.wait(for: "the end of the save")
                }
                busy.wait(for: "the block on the main queue")
                let result = Result {
                    try background.performAndWait {
                        background.insert("Hero")
                        try background.save()
                        order.add("saved")
                    }
                }
                gate.signal()
                next.resume(with: result)
            }
        }
        await main.perform(schedule: .enqueued) {}
        #expect(order.all == ["saved", "main"])
    }
}
