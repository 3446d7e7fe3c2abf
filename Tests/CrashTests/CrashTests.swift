import CoreData
import TestBasics
import Testing
import WriteScenarios

/// A process that saves state after state is killed again and again over the same store.
@Suite("A saving process killed", .timeLimit(.minutes(20)), .serialized)
struct CrashTests {
    /// Two hundred over the four series in the soak run, some of them in every run.
    private static let kills = TestSeed.isExhaustive ? 50 : 8

    @Test(
        "a kill leaves the old or the new state, whole, and the store goes on (CTX-04, HAZ-41, HAZ-43)",
        arguments: ["wal", "delete"])
    func killAtRandomMoment(_ journalMode: String) throws {
        var series = try CrashSeries(journalMode, seed: TestSeed.first)
        for _ in 0..<Self.kills { try series.crashAtRandomMoment() }
        try series.expectCleanEnd()
    }

    @Test(
        "a kill before, in or after a system call leaves the old or the new state (HAZ-41, HAZ-43)",
        arguments: ["wal", "delete"])
    func killAtSystemCall(_ journalMode: String) throws {
        var series = try CrashSeries(journalMode, seed: TestSeed.first)
        for _ in 0..<Self.kills { try series.crashAtSystemCall() }
        try series.expectCleanEnd()
        // Otherwise the calls were not met, and the series says nothing.
        #expect(series.endedByThemselves == Self.kills, "\(series)")
    }
}
