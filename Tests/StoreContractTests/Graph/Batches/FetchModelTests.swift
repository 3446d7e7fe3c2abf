import CoreData
import StoreContract
import TestBasics
import Testing

/// Random requests against a naive filter, sort and slice of all that there is.
///
/// `CORE_DATA_SEED` runs one seed again.
@Suite(.timeLimit(.minutes(20))) struct FetchModelTests {
    private static let seeds = TestSeed.sequences(30, exhaustive: 3_000)

    @Test(
        "every form of a fetch gives the naive result (FET-01 to FET-08, FET-11, FET-28)", arguments: StoreKind.all)
    func formsAgree(kind: StoreKind) throws {
        for seed in Self.seeds {
            var run = try FetchRun(kind, seed)
            for _ in 0..<12 {
                guard let difference = try run.step() else { continue }
                Issue.record("CORE_DATA_SEED=\(seed) \(kind.type): \(difference)")
                return
            }
        }
    }
}
