import Dispatch
import Foundation
import LockKit
import Synchronization

/// Finds blocks of a main queue that no run loop serves, as after `dispatchMain()`, by blocks of its own in that queue.
///
/// While the process works, one is sent each limit. The less it does the rarer they are: after each at which the process has used
/// hardly any time since the one before, twice the rest, up to `longestRest`; so an idle process has one in ten seconds. What
/// blocks the queue of a process that was idle is therefore found if it lasts, or if `noteActivity()` was called.
final class PingMonitor: Sendable {
    static let longestRest: UInt64 = 10_000_000_000
    /// A process that has used less time than this, in nanoseconds, since the last ping is idle.
    private static let idleTime: UInt64 = 2_000_000

    private let limit: UInt64
    private let report: @Sendable (BlockReport) -> Void
    private let isStopped = Atomic(false)
    private let activity = DispatchSemaphore(value: 0)
    private let isResting = Atomic(false)
    private let answers = DispatchSemaphore(value: 0)

    init(limit: UInt64, report: @escaping @Sendable (BlockReport) -> Void) {
        (self.limit, self.report) = (limit, report)
    }

    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        activity.signal()
        answers.signal()
    }

    /// The process begins to do something: the next ping comes at once.
    func noteActivity() {
        if isResting.exchange(false, ordering: .sequentiallyConsistent) { activity.signal() }
    }

    /// What the monitor's thread does until it is stopped.
    func run() {
        var rest = limit
        var used = Self.processTime
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            let isBlocked = ping()
            let now = Self.processTime
            rest = isBlocked || now - used > Self.idleTime ? limit : min(rest * 2, Self.longestRest)
            used = now
            isResting.store(true, ordering: .sequentiallyConsistent)
            let isWoken = activity.wait(timeout: .now() + .nanoseconds(Int(rest))) == .success
            isResting.store(false, ordering: .sequentiallyConsistent)
            if isWoken { rest = limit }
        }
    }

    /// Sends a block to the main queue, and reports if it had to wait for longer than the limit.
    private func ping() -> Bool {
        let sent = DispatchTime.now()
        let answered = Locked<UInt64>(0)
        DispatchQueue.main.async { [answers] in
            answered.withLock { $0 = DispatchTime.now().uptimeNanoseconds }
            answers.signal()
        }
        answers.wait()
        guard !isStopped.load(ordering: .sequentiallyConsistent) else { return false }
        let duration = answered.withLock { $0 } &- sent.uptimeNanoseconds
        guard duration > limit, duration < UInt64(Int64.max) else { return false }
        report(BlockReport(duration: .nanoseconds(Int64(duration)), stack: []))
        return true
    }

    /// The time that the process has used, in nanoseconds.
    private static var processTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(max(0, time.tv_sec)) &* 1_000_000_000 &+ UInt64(max(0, time.tv_nsec))
    }
}
