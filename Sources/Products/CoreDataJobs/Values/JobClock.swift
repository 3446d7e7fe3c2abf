import Dispatch

/// The time that jobs and progress lines go by, and calls after some time; tests bring their own.
public struct JobClock: Sendable {
    /// The time since some moment that stays the same; it does not go backwards.
    public let now: @Sendable () -> Duration
    /// Calls a block once, on any thread, when the time given has passed.
    public let after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// A clock with its two functions.
    public init(
        now: @escaping @Sendable () -> Duration,
        after: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        (self.now, self.after) = (now, after)
    }

    /// The system's clock, with calls on a serial Dispatch queue, whose thread others' work does not keep busy.
    public static let continuous: JobClock = {
        let start = ContinuousClock.now
        let queue = DispatchQueue(label: "CoreDataJobs.JobClock")
        return JobClock(
            now: { ContinuousClock.now - start },
            after: { queue.asyncAfter(deadline: .now() + $0 / .seconds(1), execute: $1) })
    }()
}
