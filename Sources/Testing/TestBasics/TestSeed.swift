import Foundation

/// Which random numbers a test begins with.
///
/// | environment | seed |
/// |---|---|
/// | `CORE_DATA_SEED=17` | 17; of a test of many sequences that one alone |
/// | `CORE_DATA_FIRST_SEED=17`, as `make soak` sets it to a fresh number | 17; of a test of many sequences that one first |
/// | neither, as in `make test` | the same in every run |
package enum TestSeed {
    /// The seed that is to be run again, and no other.
    package static let given = number("CORE_DATA_SEED")
    /// The seed of a test with one sequence, and the first one of a test with many.
    package static let first = given ?? number("CORE_DATA_FIRST_SEED") ?? 1
    /// Whether everything is to be tried, as `make soak` does.
    package static let isExhaustive = environment["CORE_DATA_EXHAUSTIVE"] != nil

    private static let environment = ProcessInfo.processInfo.environment

    /// The seeds of a test with many sequences: as many as it usually has, or all that it has in `make soak`.
    package static func sequences(_ usual: UInt64, exhaustive: UInt64? = nil) -> [UInt64] {
        if let given { return [given] }
        let count = number("CORE_DATA_SEQUENCES") ?? (isExhaustive ? exhaustive ?? usual : usual)
        return (0..<count).map { first &+ $0 }
    }

    private static func number(_ name: String) -> UInt64? { environment[name].flatMap { UInt64($0) } }
}
