import CoreData
import SQLiteKit
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Random saves and batch requests with old values kept: every past state can be read, and the newest transaction reverted.
@Suite struct PastStateModelTests {
    @Test(
        "each past state is what the tables had then, in random sequences (CTX-34)",
        arguments: TestSeed.sequences(15, exhaustive: 2_000))
    func pastStates(_ seed: UInt64) throws {
        var run = try HistoryRun(seed, keepsOldValues: true)
        var states = [Int64(0): try HistoryReference(run.scene.file)]
        for _ in 0..<25 {
            try run.change()
            states[run.transactions] = try HistoryReference(run.scene.file)
        }
        #expect(states.count > 5)
        for (number, state) in states {
            let found = try run.scene.reading(.after(number)) { try HistoryReference($0) }
            #expect(found == state, "seed \(seed), after \(number): \(found.changes(since: state))")
        }
        #expect(try HistoryReference(run.scene.file) == states[run.transactions])
    }

    @Test(
        "a reverted transaction leaves what was there before it, in random sequences (CTX-34)",
        arguments: TestSeed.sequences(15, exhaustive: 2_000))
    func revertedTransactions(_ seed: UInt64) throws {
        var run = try HistoryRun(seed, keepsOldValues: true)
        var count = 0
        for step in 0..<20 {
            let (before, former) = (try HistoryReference(run.scene.file), run.transactions)
            try run.change()
            guard run.transactions > former, step % 2 == 1 else { continue }
            let after = try HistoryReference(run.scene.file)
            let context = run.scene.context
            let transaction = try #require(
                try context.transactions(after: NSPersistentHistoryToken([run.scene.store.identifier: former])).first)
            try context.revert(transaction)
            do {
                try context.save()
            } catch let error as NSError where error.domain == NSCocoaErrorDomain {
                // A model's rule may refuse what a batch request had made.
                context.reset()
                continue
            }
            count += 1
            let reverted = try HistoryReference(run.scene.file)
            let comment = Comment(rawValue: "seed \(seed), step \(step): \(after.changes(since: before))")
            #expect(reverted.contents(run.scene.file) == before.contents(run.scene.file), comment)
            if !after.changes(since: before).contains(where: { $0.hasPrefix("-") }) {
                #expect(reverted.normalized == before.normalized, "\(comment) \(reverted.changes(since: before))")
            }
            context.reset()
        }
        #expect(count > 0)
    }
}

extension HistoryScene {
    /// What a reader finds in a past state.
    func reading<Result>(_ past: PastState, _ body: (StoreFile) throws -> Result) throws -> Result {
        let loan = file.readers?.checkOut(for: ReaderUse(.generation), waiting: .seconds(5))
        guard case .reader(let reader)? = loan else { throw CocoaError(.fileReadUnknown) }
        defer { reader.release() }
        try reader.holdState(of: past)
        return try body(try #require(reader as? StoreFile))
    }
}

extension NSManagedObjectContext {
    /// The transactions after a token with their changes.
    func transactions(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let answer = try execute(request) as? NSPersistentHistoryResult
        return try #require(answer?.result as? [NSPersistentHistoryTransaction])
    }
}
