import Foundation

/// The seeds of the random numbers in tests.
///
/// | environment | seed |
/// |---|---|
/// | `CORE_DATA_SEED=17` | 17; of a test of many sequences that one alone |
/// | `CORE_DATA_FIRST_SEED=17`, as `make soak` sets it to a fresh number | 17; of a test of many sequences that one first |
/// | neither, as in `make test` | the same in every run |
package enum TestSeed {
    /// The only seed to run, from `CORE_DATA_SEED`; nil if it is not set.
    package static let given = number("CORE_DATA_SEED")
    /// The seed of a test with one sequence, and the first one of a test with many.
    package static let first = given ?? number("CORE_DATA_FIRST_SEED") ?? 1
    /// Whether tests are to try all cases, as in `make soak`: `CORE_DATA_EXHAUSTIVE` is set.
    package static let isExhaustive = ProcessInfo.processInfo.environment["CORE_DATA_EXHAUSTIVE"] != nil

    /// The seeds of a test with many sequences: `usual` many, or `exhaustive` many in an exhaustive run, unless
    /// `CORE_DATA_SEQUENCES` sets the number.
    package static func sequences(_ usual: UInt64, exhaustive: UInt64? = nil) -> [UInt64] {
        if let given { return [given] }
        let count = number("CORE_DATA_SEQUENCES") ?? (isExhaustive ? exhaustive ?? usual : usual)
        return (0..<count).map { first &+ $0 }
    }

    /// One element in `step`, by the first seed; all of them in an exhaustive run.
    package static func sample<Element>(_ all: [Element], step: Int) -> [Element] {
        isExhaustive ? all : stride(from: Int(first % UInt64(step)), to: all.count, by: step).map { all[$0] }
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
