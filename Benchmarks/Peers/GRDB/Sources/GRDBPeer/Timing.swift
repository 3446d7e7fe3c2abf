/// Medians of the time of some runs, in seconds.
enum Timing {
    private static let runs = 3

    /// The seconds that a work takes.
    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let time = try ContinuousClock().measure(work)
        return time / .seconds(1)
    }

    /// Work that leaves the store as it is, after one run that warms up.
    static func reading(_ work: () throws -> Void) throws -> Double {
        try work()
        return median(try (0..<runs).map { _ in try seconds(work) })
    }

    /// Work that changes the store, of which each run has its own; it gives the seconds of the part that is timed.
    static func writing(_ work: () throws -> Double) throws -> Double { median(try (0..<runs).map { _ in try work() }) }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// The value that 99 of 100 do not exceed.
    static func percentile99(_ values: [Double]) -> Double {
        values.sorted()[min(values.count - 1, values.count * 99 / 100)]
    }
}
