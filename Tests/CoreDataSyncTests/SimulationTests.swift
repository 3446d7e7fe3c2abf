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

    /// Seeds beyond the first 300 that failed in earlier versions: peers that come back after long absences, restored stores, and large values on
    /// demand, each under several troubles at once; 3605 and 9371 lead to two groups, each of which has in its state alone what the other lacks.
    private static let formerFailures: [UInt64] = [
        1893, 3148, 3605, 3696, 3814, 4267, 4545, 5128, 5940, 6973, 7563, 7683, 8028, 8211, 8256, 8370, 8604, 8793,
        8886,
        9371, 9989,
    ]

    @Test("seeds that failed in earlier versions pass (SYNC-01)", arguments: formerFailures)
    func formerFailuresPass(seed: UInt64) throws {
        let verdict = try SimulationJudge.run(seed: seed)
        #expect(verdict.isEmpty, "\(verdict.prefix(6).joined(separator: "\n"))")
    }
}
