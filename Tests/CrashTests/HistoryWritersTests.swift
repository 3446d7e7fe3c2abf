import CoreData
import TestBasics
import Testing
import WriteScenarios

@Suite("Several processes that save to one store with history", .timeLimit(.minutes(20)))
struct HistoryWritersTests {
    @Test(
        "what is acknowledged is in the store and once in the history, though processes are killed (CTX-34, HAZ-33, HAZ-41)"
    )
    func killedWriters() throws {
        let isLong = TestSeed.isExhaustive
        var writers = try HistoryWriters(4, saves: isLong ? 5_000 : 75, seed: TestSeed.first)
        for _ in 0..<(isLong ? 400 : 12) { try writers.killOne(afterAtMost: isLong ? 40 : 12) }
        try writers.finish()
        try writers.expectAllIsThereOnce()
        print("\(writers), \(writers.unacknowledged) saves found that were not acknowledged")
    }
}
