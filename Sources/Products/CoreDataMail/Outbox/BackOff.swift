import CoreDataGraph

/// When a message is tried again after a failure that may pass.
public struct BackOff: Sendable, Hashable {
    /// The wait after the first failure, in seconds; each further one is twice as long.
    public var first: TimeInterval
    /// The longest wait, in seconds.
    public var longest: TimeInterval
    /// How long after it was put in a message is given up, in seconds; RFC 5321 advises four to five days.
    public var givesUpAfter: TimeInterval

    /// Waits of one minute to one hour, for five days.
    public init(first: TimeInterval = 60, longest: TimeInterval = 3_600, givesUpAfter: TimeInterval = 432_000) {
        (self.first, self.longest, self.givesUpAfter) = (first, longest, givesUpAfter)
    }

    /// The wait after a number of failures.
    func wait(after failures: Int) -> TimeInterval {
        min(longest, first * pow(2, Double(max(0, min(failures, 60) - 1))))
    }
}
