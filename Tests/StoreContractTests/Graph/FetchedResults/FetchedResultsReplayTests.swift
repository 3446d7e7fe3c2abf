import CoreData
import StoreContract
import TestBasics
import Testing

/// `CORE_DATA_SEED` replays one run, `CORE_DATA_EXHAUSTIVE=1` makes it 5,000 runs a store.
struct FetchedResultsReplayTests {
    private static let seeds = TestSeed.sequences(20, exhaustive: 5_000)

    @Test(
        "messages, differences and snapshots of random edits give the list, exactly (FRC-11, FRC-12, FRC-15)",
        .timeLimit(.minutes(20)), arguments: StoreKind.all)
    func messagesDifferencesAndSnapshotsOfRandomEditsGiveList(_ kind: StoreKind) async throws {
        var (changes, endedEarly) = (0, 0)
        for seed in Self.seeds {
            let run = try ReplayRun(kind, seed: seed)
            let flaws = try await run.run(steps: 25)
            #expect(flaws.isEmpty, "CORE_DATA_SEED=\(seed)")
            changes += run.changes
            endedEarly += run.endedEarly ? 1 : 0
        }
        #expect(endedEarly * 20 <= Self.seeds.count + 20)
        #expect(changes > Self.seeds.count * 5)
    }
}
