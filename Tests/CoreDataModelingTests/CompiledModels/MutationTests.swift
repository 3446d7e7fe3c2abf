import CoreDataModeling
import TestBasics
import Testing

/// Models that nobody wrote: whatever the bytes, there is a model or an error.
///
/// `CORE_DATA_SEED` replays a run, `CORE_DATA_EXHAUSTIVE=1` makes it a million mutations.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct MutationTests {
    private static func corpus(_ suffix: String) throws -> [Data] {
        let paths = FixtureSupport.paths(endingIn: suffix).filter { !$0.contains("freecoredata") }
        return try paths.map { try Data(contentsOf: Fixtures.url($0)) }
    }

    /// The greatest memory of the process so far, in megabytes.
    private static var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) >> 10
    }

    @Test(
        "mutated compiled models and old sources give a model or an error, in bounded memory (HAZ-48, HAZ-46)",
        .timeLimit(.minutes(60)), arguments: [(".mom", 700, 900_000), ("/elements", 80, 100_000)])
    func mutatedArchives(suffix: String, sample: Int, all: Int) throws {
        let count = TestSeed.isExhaustive ? all : sample
        let mutator = ArchiveMutator(try Self.corpus(suffix))
        var random = SeededRandom(seed: TestSeed.first)
        let before = Self.peakMemory
        let start = ContinuousClock.now
        var read = 0
        var slowest = Duration.zero
        var codes: [ModelingError.Code: Int] = [:]
        for _ in 0..<count {
            let data = mutator.mutation(&random)
            let began = ContinuousClock.now
            do {
                let isCompiled = suffix == ".mom"
                let model =
                    try isCompiled ? NSManagedObjectModel(compiled: data) : NSManagedObjectModel(binarySource: data)
                // What was taken for a model must also bear to be used: hashed, and written again.
                _ = model.entityVersionHashesByName
                _ = try? model.compiledData()
                read += 1
            } catch let error as ModelingError {
                codes[error.code, default: 0] += 1
            }
            slowest = max(slowest, ContinuousClock.now - began)
        }
        let refused = codes.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
        print("HAZ-48: seed \(TestSeed.first), \(count) mutations of \(suffix): \(read) read; \(refused);")
        print("  \(ContinuousClock.now - start), the slowest \(slowest), at most \(Self.peakMemory) MB")
        #expect(read > 0)
        #expect(codes.count >= 2)
        #expect(slowest < .seconds(20))
        #expect(Self.peakMemory - before < 1_000)
    }
}
