import Dispatch
import Foundation
import LockKit
import Synchronization

/// Reports each block of the main queue that lasts longer than a limit, with the stack of the main thread at the moment when the limit
/// was reached.
///
///     let watchdog = MainQueueWatchdog()
///     RunLoop.main.run()
///
/// Under a run loop an idle process is left alone: what the loop does wakes the watchdog, and while the loop waits so does the watchdog.
/// The stack is written by the main thread itself in the handler of a signal (`SIGRTMAX` − 5), for one block once; what that thread waits for
/// then may end early with `EINTR`, as with any signal.
///
/// After `dispatchMain()`, and in programs whose `main` is asynchronous, no run loop serves the main queue but any thread. The
/// watchdog then sends blocks to the queue, often while the process works, and one in ten seconds while it does not. Reports have no stack
/// there, and short blocks after an idle time are found only if ``noteActivity()`` was called before.
public final class MainQueueWatchdog: Sendable {
    /// How the watchdog looks at the main queue.
    public enum Method: Sendable, Equatable {
        /// The main queue has not run anything since the watchdog was made.
        case undecided
        /// By what the main run loop does.
        case runLoop
        /// By blocks in the main queue.
        case pings
    }

    private struct State {
        var method = Method.undecided
        var observer: RunLoopObserver?
        var pings: PingMonitor?
        var isStopped = false
    }

    /// What lasts longer is reported.
    public let limit: Duration
    private let monitor: RunLoopMonitor
    private let report: @Sendable (BlockReport) -> Void
    private let state = Locked(State())

    /// Begins to watch, until `stop()` is called, also when the watchdog itself is released.
    ///
    /// - Parameters:
    ///   - limit: What lasts longer is reported; at least a millisecond.
    ///   - report: Called for each block when it has ended, on a thread of the watchdog. Without it a line goes to standard error.
    public init(
        limit: Duration = .milliseconds(50), report: @escaping @Sendable (BlockReport) -> Void = MainQueueWatchdog.log
    ) {
        (self.limit, self.report) = (max(limit, .milliseconds(1)), report)
        let monitor = RunLoopMonitor(limit: Self.nanoseconds(self.limit), report: report)
        self.monitor = monitor
        let isSeen = Atomic(false)
        let observer = RunLoopObserver { event in
            if !isSeen.exchange(true, ordering: .relaxed) {
                StackSampler.noteMainThread()
                _ = StackSampler.shared
            }
            monitor.take(event)
        }
        state.withLock { $0.observer = observer }
        Self.startThread { monitor.run() }
        // Runs inside the run loop, if one serves the main queue.
        DispatchQueue.main.async { [self] in decide() }
    }

    /// Ends the watch; a block that goes on is not reported any more.
    public func stop() {
        let (observer, pings) = state.withLock { state in
            state.isStopped = true
            defer { state.observer = nil }
            return (state.observer, state.pings)
        }
        monitor.stop()
        pings?.stop()
        // The main thread must not be in the handler of the observer at the same time.
        if let observer { DispatchQueue.main.async { observer.invalidate() } }
    }

    /// How the watchdog looks at the main queue.
    public var method: Method { state.withLock { $0.method } }

    /// Says that the process begins to do something, such as to answer a request. Matters where blocks in the queue are what finds blocks.
    public func noteActivity() { state.withLock { $0.pings }?.noteActivity() }

    /// Writes a report to standard error, a line for the block and one for each function.
    public static let log: @Sendable (BlockReport) -> Void = { report in
        FileHandle.standardError.write(Data("warning: \(report)\n".utf8))
    }

    /// Chooses the method, on the main queue.
    private func decide() {
        let pings = state.withLock { state -> PingMonitor? in
            guard !state.isStopped else { return nil }
            guard !monitor.isBusy else {
                state.method = .runLoop
                return nil
            }
            state.method = .pings
            state.pings = PingMonitor(limit: Self.nanoseconds(limit), report: report)
            return state.pings
        }
        if let pings { Self.startThread { pings.run() } }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = "CoreDataJobs.MainQueueWatchdog"
        thread.stackSize = 512 * 1_024
        thread.start()
    }

    private static func nanoseconds(_ duration: Duration) -> UInt64 {
        let nanoseconds = (duration / .nanoseconds(1)).rounded()
        return UInt64(min(max(nanoseconds, 1_000_000), 1e18))
    }
}
