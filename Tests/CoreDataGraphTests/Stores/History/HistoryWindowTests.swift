import CoreDataStore
import TestBasics
import Testing

@testable import CoreDataGraph

/// What the limit of a history's size costs, and that it is kept exactly, whoever deletes meanwhile.
@Suite struct HistoryWindowTests {
    /// A history that consists of sizes, and counts how many of them were asked for.
    private final class Sizes: HistoryKeeping {
        var sizes: [Int64: Int64] = [:]
        var newest: Int64 = 0
        var asked = 0
        var failure: NSError?

        func add(_ size: Int64) {
            newest += 1
            sizes[newest] = size
        }

        func historyExtent() -> HistoryExtent { HistoryExtent(oldest: sizes.keys.min(), newest: newest) }

        func readHistory(
            _ query: HistoryQuery, transaction: (HistoryTransaction) throws -> HistoryReading,
            change: (HistoryChange) throws -> Void
        ) {}

        func readHistorySizes(
            of numbers: ClosedRange<Int64>, _ order: HistoryOrder, _ body: (Int64, Int64) throws -> Bool
        ) throws {
            let wanted = sizes.keys.filter(numbers.contains).sorted()
            for number in order == .oldestFirst ? wanted : wanted.reversed() {
                asked += 1
                guard try body(number, sizes[number] ?? 0) else { return }
                if let failure { throw failure }
            }
        }

        func deleteHistory(_ numbers: [Int64]) -> Int {
            let before = sizes.count
            for number in numbers { sizes[number] = nil }
            return before - sizes.count
        }

        func purgeHistory(before bound: HistoryBound) -> Int {
            guard case .number(let number) = bound else { return 0 }
            let gone = sizes.keys.filter { $0 < number }
            for key in gone { sizes[key] = nil }
            return gone.count
        }
    }

    @Test("A history is measured from its end, as far as the limit; then only what is new")
    func historyIsMeasuredFromItsEnd() throws {
        let history = Sizes()
        for _ in 0..<10_000 { history.add(10) }
        var window = HistoryWindow(limit: 1_000)
        #expect(try window.update(history, history.historyExtent()) == 9_901)
        #expect(history.asked == 101)
        for _ in 0..<5 { history.add(10) }
        #expect(try window.update(history, history.historyExtent()) == 9_906)
        #expect(history.asked == 106)
        #expect(try window.update(history, history.historyExtent()) == 9_906)
        #expect(history.asked == 106)
    }

    @Test("A failure while measuring leaves nothing half measured")
    func failureWhileMeasuringLeavesNothingHalfMeasured() throws {
        let history = Sizes()
        for _ in 0..<10 { history.add(10) }
        var window = HistoryWindow(limit: 35)
        #expect(try window.update(history, history.historyExtent()) == 8)
        history.add(10)
        history.add(10)
        history.failure = NSError(domain: NSCocoaErrorDomain, code: 1)
        #expect(throws: NSError.self) { try window.update(history, history.historyExtent()) }
        history.failure = nil
        #expect(try window.update(history, history.historyExtent()) == 10)
    }

    @Test(
        "the window of a history is the sum of its newest transactions, in random sequences (CTX-34)",
        arguments: TestSeed.sequences(50, exhaustive: 2_000))
    func randomSequences(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let history = Sizes()
        // Up to 1,000 each transaction stands for itself; above, some go together, a thousandth of the limit at most.
        let limit = Int64([0, 20, 500, 50_000].randomElement(using: &random) ?? 0)
        var window = HistoryWindow(limit: limit)
        for step in 0..<200 {
            for _ in 0..<Int.random(in: 0...4, using: &random) { history.add(.random(in: 0...30, using: &random)) }
            if Int.random(in: 0..<10, using: &random) == 0, let oldest = history.historyExtent().oldest {
                _ = history.purgeHistory(before: .number(.random(in: oldest...(history.newest + 1), using: &random)))
            }
            let first = try window.update(history, history.historyExtent())
            let kept = history.sizes.filter { $0.key >= first }.values.reduce(0, +)
            let before = history.sizes.keys.filter { $0 < first }.max().flatMap { history.sizes[$0] }
            #expect(kept <= limit, "seed \(seed), step \(step)")
            if let before { #expect(kept + before > limit - 2 * limit / 1_000, "seed \(seed), step \(step)") }
            if Bool.random(using: &random) { _ = history.purgeHistory(before: .number(first)) }
        }
    }
}
