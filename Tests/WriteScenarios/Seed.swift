import CoreData

/// Which random numbers a test runs with: those of `CORE_DATA_SEED`, or others each time.
package enum Seed {
    /// The seed that was asked for.
    package static let given = ProcessInfo.processInfo.environment["CORE_DATA_SEED"].flatMap(UInt64.init)
    /// The seed asked for, or a fresh one.
    package static let current = given ?? UInt64.random(in: 0..<1_000_000)
    /// Whether everything is to be tried, as `make soak` does.
    package static let isExhaustive = ProcessInfo.processInfo.environment["CORE_DATA_EXHAUSTIVE"] != nil
}
