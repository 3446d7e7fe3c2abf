import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataGraph
@testable import CoreDataSQLite

/// How streams use the file.
@Suite(.timeLimit(.minutes(20))) struct StreamStatementTests {
    private func stack(_ count: Int) throws -> Stack {
        let stack = try HeroModel.stack()
        for number in 0..<count { stack.context.insert("Hero", ["name": "x", "strength": number]) }
        try stack.context.save()
        stack.context.reset()
        return stack
    }

    /// One object on; false at the end.
    @discardableResult private func step(_ iterator: inout FetchedObjects<Hero>.Iterator?) throws -> Bool {
        try iterator?.next() != nil
    }

    private var request: NSFetchRequest<Hero> {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.sortDescriptors = [NSSortDescriptor(key: "strength", ascending: true)]
        return request
    }

    @Test("a stream sends nothing on the store's connection and leaves no rows in the cache (FET-08)")
    func streamsBesideTheStore() throws {
        let stack = try stack(5_000)
        var iterator = stack.context.objects(of: request, batchSize: 100).makeAsyncIterator()
        _ = try iterator.next()
        var seen: [Int16] = []
        try stack.expectStatements(0) {
            while let hero = try iterator.next() { seen.append(hero.strength) }
        }
        #expect(seen == Array(1..<5_000))
        #expect(stack.store.rowCache.count == 0 && stack.context.registeredObjects.isEmpty)
    }

    @Test("a slab lives no longer than its batch (FET-08)") func slabsGo() throws {
        let stack = try stack(3_000)
        var iterator = stack.context.objects(of: request, batchSize: 100).makeAsyncIterator()
        weak let first = try iterator.next()?.slab
        #expect(first != nil && first?.count == 100)
        for _ in 0..<100 { _ = try iterator.next() }
        #expect(first == nil)
    }

    @Test("the moment is let go of at the end, at a break and at a cancellation (FET-08)") func momentsAreLetGo()
        async throws
    {
        let stack = try stack(2_000)
        func blocksCheckpoint() throws -> Bool {
            stack.context.insert("Hero", ["name": "y"])
            try stack.context.save()
            return try stack.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first?.integer == 1
        }
        let context = stack.newContext()
        try #expect(!blocksCheckpoint())
        var iterator: FetchedObjects<Hero>.Iterator? = context.objects(of: request, batchSize: 10).makeAsyncIterator()
        try step(&iterator)
        try #expect(blocksCheckpoint())
        iterator = nil
        try #expect(!blocksCheckpoint())
        iterator = context.objects(of: request, batchSize: 1_000).makeAsyncIterator()
        while try step(&iterator) {}
        try #expect(!blocksCheckpoint())
        let values = context.stream(request, batchSize: 10) { Int($0.strength) }
        let task = Task {
            for try await _ in values { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try #expect(!blocksCheckpoint())
    }

    @Test("a store without a write-ahead log streams by its keys (FET-08)") func streamsByKeys() throws {
        let stack = try stack(0)
        #expect(try stack.file.connection.setPragma("journal_mode", to: .text("delete"))?.text == "delete")
        for number in 0..<2_500 { stack.context.insert("Hero", ["name": "x", "strength": number]) }
        try stack.context.save()
        stack.context.reset()
        var seen: [Int16] = []
        try stack.context.objects(of: request, batchSize: 300).enumerateObjects { hero in
            #expect(!hero.isFault)
            seen.append(hero.strength)
            guard hero.strength == 10 else { return }
            let writer = stack.newContext()
            let gone = try writer.fetch(request).filter { [11, 2_000].contains($0.strength) }
            gone.forEach(writer.delete)
            try writer.save()
        }
        #expect(seen == (0..<2_500).filter { $0 != 2_000 })
    }

    @Test("an asynchronous fetch sends nothing on the store's connection (FET-26)") func asynchronousReadsBeside()
        async throws
    {
        let stack = try stack(3_000)
        let context = stack.context
        let before = stack.file.connection.statementCount
        let count: Int = try await withCheckedThrowingContinuation { continuation in
            context.perform {
                let request = NSFetchRequest<Hero>(entityName: "Hero")
                do {
                    try context.execute(
                        NSAsynchronousFetchRequest(fetchRequest: request) {
                            continuation.resume(returning: $0.finalResult?.count ?? 0)
                        })
                } catch { continuation.resume(throwing: error) }
            }
        }
        // The journal mode is asked for.
        #expect(count == 3_000 && stack.file.connection.statementCount - before <= 1)
    }

    @Test("a running statement is interrupted, and the next one is not (FET-26)") func statementsAreInterrupted() throws
    {
        let stack = try stack(2_000)
        let layout = try #require(stack.coordinator.modelLayout.layout(named: "Hero"))
        let loan = stack.file.readers?.checkOut(for: ReaderUse(.stream), waiting: .zero)
        guard case .reader(let reader) = loan, let kept = reader as? StoreFile else {
            Issue.record("no reader")
            return
        }
        defer { kept.release() }
        try kept.holdState(atOnce: true)
        let stream = try kept.stream(FetchQuery(binding: stack.store.binding(for: layout)))
        #expect(try stream.next(10).count == 1)
        stream.interrupt()
        expectError(134180) { try stream.next(10) }
        #expect(try kept.count(FetchQuery(binding: stack.store.binding(for: layout))) == 2_000)
    }
}
