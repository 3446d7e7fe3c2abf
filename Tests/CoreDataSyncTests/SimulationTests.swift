import CoreDataSync
import SyncSimulator
import TestBasics
import Testing

@Suite("Simulated peers", .timeLimit(.minutes(30)))
struct SimulationTests {
    private static let seeds = TestSeed.sequences(300, exhaustive: 10_000)

    @Test("peers that saw the same are equal, lose no save and hold the model's rules (SYNC-01)")
    func peersConverge() throws {
        var failures = 0
        for seed in Self.seeds {
            let verdict = try SimulationJudge.run(seed: seed)
            guard !verdict.isEmpty else { continue }
            failures += 1
            Issue.record("CORE_DATA_SEED=\(seed): \(verdict.prefix(6).joined(separator: "\n"))")
            if failures > 4 { return }
        }
    }
}
