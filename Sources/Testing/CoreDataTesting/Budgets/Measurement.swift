import CoreData

/// The times and counts of a block that ran several times.
public struct Measurement: Sendable, CustomStringConvertible {
    /// How long each run took.
    public let durations: [Duration]
    /// What the last run did with the store.
    public let activity: StoreActivity

    /// The mean of the durations.
    public var mean: Duration {
        durations.isEmpty ? .zero : durations.reduce(.zero, +) / durations.count
    }

    /// The standard deviation of the durations, with n − 1; zero for a single run.
    public var deviation: Duration {
        guard durations.count > 1 else { return .zero }
        let mean = mean / .seconds(1)
        let squares = durations.reduce(0) { sum, duration in
            let difference = duration / .seconds(1) - mean
            return sum + difference * difference
        }
        return .seconds((squares / Double(durations.count - 1)).squareRoot())
    }

    public var description: String {
        let (mean, deviation) = (mean / .milliseconds(1), deviation / .milliseconds(1))
        return String(format: "mean %.3f ms, deviation %.3f ms", mean, deviation)
            + " (\(durations.count) runs); \(activity.statements.count) statements, \(activity.faults.count) faults"
    }
}

extension TestStack {
    /// Runs a block several times, after one run that is not counted, and measures it.
    ///
    /// Times say something about the machine too: limits that fail a test belong to counts (`budget(_:in:_:)`).
    ///
    /// - Throws: what the block throws.
    public func measure(runs: Int = 10, _ body: () throws -> Void) rethrows -> Measurement {
        try body()
        var durations: [Duration] = []
        var activity = StoreActivity()
        let clock = ContinuousClock()
        for _ in 0..<max(1, runs) {
            activity = try self.activity {
                let start = clock.now
                try body()
                durations.append(clock.now - start)
            }
        }
        return Measurement(durations: durations, activity: activity)
    }
}
