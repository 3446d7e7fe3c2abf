import Dispatch
import Foundation
import LockKit
import Synchronization

/// Finds blocks of a main queue that a run loop serves, by what the loop says when it begins and ends to do something.
///
/// The thread of the monitor sleeps while the main run loop waits: the first thing that the loop does then wakes it, and when
/// the loop has waited for two limits it sleeps again.
///
/// Invariants:
/// 1. `busySince` is 0 while the loop waits. The main thread alone changes it.
/// 2. If `isAsleep` is true, the main thread wakes the monitor when it next begins something.
/// 3. Each block over the limit is in `ended` once, put there by the main thread.
final class RunLoopMonitor: Sendable {
    private struct Ended {
        let since: UInt64
        let duration: UInt64
    }

    private let limit: UInt64
    private let report: @Sendable (BlockReport) -> Void
    private let busySince = Atomic<UInt64>(0)
    private let isAsleep = Atomic(true)
    private let isStopped = Atomic(false)
    private let ended = Locked<[Ended]>([])
    private let beginning = DispatchSemaphore(value: 0)
    private let ending = DispatchSemaphore(value: 0)

    init(limit: UInt64, report: @escaping @Sendable (BlockReport) -> Void) {
        (self.limit, self.report) = (limit, report)
    }

    /// Whether the main thread does something, by what its run loop has said.
    var isBusy: Bool { busySince.load(ordering: .relaxed) != 0 }

    /// What the main run loop does; called on the main thread.
    func take(_ event: RunLoopObserver.Event) {
        let now = DispatchTime.now().uptimeNanoseconds
        let since = busySince.exchange(event == .began ? now : 0, ordering: .sequentiallyConsistent)
        if since != 0, now - since > limit {
            ended.withLock { $0.append(Ended(since: since, duration: now - since)) }
            ending.signal()
        }
        guard event == .began, isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { beginning.signal() }
    }

    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        beginning.signal()
        ending.signal()
    }

    /// What the monitor's thread does until it is stopped.
    func run() {
        while true {
            beginning.wait()
            if isStopped.load(ordering: .sequentiallyConsistent) { return }
            watch()
        }
    }

    /// Looks at the main thread until its run loop has waited for some time.
    private func watch() {
        var idleRounds = 0
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            let since = busySince.load(ordering: .sequentiallyConsistent)
            let now = DispatchTime.now().uptimeNanoseconds
            if since == 0 {
                reportEnded()
                idleRounds += 1
                if idleRounds > 2, fallAsleep() { return }
                rest(limit)
            } else if now <= since || now - since < limit {
                idleRounds = 0
                rest(now <= since ? limit : limit - (now - since))
            } else {
                idleRounds = 0
                follow(since)
            }
        }
    }

    /// Whether the monitor may sleep: nothing runs, and nothing that ended waits to be reported.
    private func fallAsleep() -> Bool {
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        guard busySince.load(ordering: .sequentiallyConsistent) != 0 || ended.withLock({ !$0.isEmpty }) else {
            return true
        }
        // If the main thread has seen it, it has signalled: the next round begins at once.
        return !isAsleep.exchange(false, ordering: .sequentiallyConsistent)
    }

    /// Takes the stack of a block that goes on, and waits for its end.
    private func follow(_ since: UInt64) {
        let stack = StackSampler.shared?.stack() ?? []
        let isSame = busySince.load(ordering: .sequentiallyConsistent) == since
        while !reportEnded(since, isSame ? stack : []), !isStopped.load(ordering: .sequentiallyConsistent) {
            ending.wait()
        }
    }

    /// Reports the blocks that have ended; true if one of them began then, whose stack is known.
    @discardableResult
    private func reportEnded(_ since: UInt64 = 0, _ stack: [String] = []) -> Bool {
        let all = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        for block in all {
            let duration = Duration.nanoseconds(Int64(clamping: block.duration))
            report(BlockReport(duration: duration, stack: block.since == since ? stack : []))
        }
        return all.contains { $0.since == since }
    }

    private func rest(_ nanoseconds: UInt64) { Thread.sleep(forTimeInterval: Double(nanoseconds) / 1e9) }
}
