import Foundation
import LockKit

/// A thread that waits for sockets and times, and calls who asked for them.
///
/// Invariants:
/// 1. Handlers and jobs run on the loop's thread, one at a time.
/// 2. A handler is not called after it was removed on the loop's thread.
package final class EventLoop: Sendable {
    /// Names a socket that is watched, for as long as the loop exists.
    package typealias Registration = UInt64

    private struct Timed {
        let time: ContinuousClock.Instant
        let order: UInt64
        let job: @Sendable () -> Void
    }

    private struct State {
        var handlers: [Registration: (socket: Int32, call: @Sendable (Readiness) -> Void)] = [:]
        var jobs: [@Sendable () -> Void] = []
        /// The next one last.
        var timed: [Timed] = []
        var next: UInt64 = 1
        var isStarted = false
        var isStopped = false
        var isWoken = false
    }

    private static let wakeRegistration: Registration = 0
    private let poller: EventPoller
    /// A pipe whose reading end wakes the thread.
    private let wakeEnds: (read: Int32, write: Int32)
    private let state = Locked(State())
    private let thread = Locked<pthread_t?>(nil)

    /// - Throws: `PeerFailure` with `system` if no more files can be opened.
    package init() throws {
        poller = try EventPoller()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw PeerFailure.system("an event loop cannot be made") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeEnds = (ends[0], ends[1])
        _ = poller.add(ends[0], as: Self.wakeRegistration, .readable)
    }

    deinit {
        close(wakeEnds.read)
        close(wakeEnds.write)
    }

    /// Whether the caller runs on the loop's thread.
    package var isCurrent: Bool { thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

    /// Watches a socket; nil if the system cannot.
    package func add(
        _ socket: Int32, _ interest: Readiness, _ handler: @escaping @Sendable (Readiness) -> Void
    ) -> Registration? {
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.handlers[state.next] = (socket, handler)
            return state.next
        }
        start()
        if poller.add(socket, as: number, interest) { return number }
        let dropped = state.withLock { $0.handlers.removeValue(forKey: number) }
        withExtendedLifetime(dropped) {}
        return nil
    }

    /// Changes what a socket is watched for.
    package func modify(_ registration: Registration, _ interest: Readiness) {
        guard let socket = state.withLock({ $0.handlers[registration]?.socket }) else { return }
        poller.modify(socket, as: registration, interest)
    }

    /// Watches a socket no more. Must be called before the socket is closed.
    package func remove(_ registration: Registration) {
        guard let handler = state.withLock({ $0.handlers.removeValue(forKey: registration) }) else { return }
        poller.remove(handler.socket, as: registration)
    }

    /// Runs a job on the thread, as soon as that is free.
    package func perform(_ job: @escaping @Sendable () -> Void) {
        start()
        // The loop's own thread looks for jobs before it waits again.
        let isOwn = isCurrent
        let mustWake = state.withLock { state in
            guard !state.isStopped else { return false }
            state.jobs.append(job)
            guard !isOwn else { return false }
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if mustWake { wake() }
    }

    /// Runs a job on the thread after some seconds.
    package func perform(after seconds: Double, _ job: @escaping @Sendable () -> Void) {
        let time = ContinuousClock.now + .seconds(max(0, seconds))
        state.withLock { state in
            guard !state.isStopped else { return }
            defer { state.next += 1 }
            let place = state.timed.firstIndex { ($0.time, $0.order) < (time, state.next) } ?? state.timed.count
            state.timed.insert(Timed(time: time, order: state.next, job: job), at: place)
        }
        if !isCurrent { perform {} }
    }

    /// Ends the thread after what it does at present; jobs that wait are dropped.
    package func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    private func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes as well.
        _ = write(wakeEnds.write, &byte, 1)
    }

    private func start() {
        let mustStart = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard mustStart else { return }
        let thread = Thread { self.run() }
        thread.name = "PeerKit.EventLoop"
        thread.stackSize = 1 << 20
        thread.start()
    }

    private func run() {
        thread.withLock { $0 = pthread_self() }
        while let limit = nextWait() {
            var isWoken = false
            poller.wait(milliseconds: limit) { number, readiness in
                guard number != Self.wakeRegistration else {
                    isWoken = true
                    return
                }
                state.withLock { $0.handlers[number]?.call }?(readiness)
            }
            if isWoken { drain() }
            runJobs()
        }
        // What the closures hold may call the loop when it is released, which needs the lock.
        let dropped = state.withLock { state in
            defer { (state.jobs, state.timed, state.handlers) = ([], [], [:]) }
            return (state.jobs, state.timed, state.handlers)
        }
        withExtendedLifetime(dropped) {}
    }

    private func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeEnds.read, &bytes, 64) == 64 {}
    }

    /// How many milliseconds to wait; nil at the end.
    private func nextWait() -> Int32? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            guard state.jobs.isEmpty else { return 0 }
            guard let next = state.timed.last else { return -1 }
            let left = (next.time - .now) / .milliseconds(1)
            return Int32(max(0, min(left.rounded(.up), 60_000)))
        }
    }

    private func runJobs() {
        let jobs = state.withLock { state in
            var jobs = state.jobs
            state.jobs = []
            state.isWoken = false
            let now = ContinuousClock.now
            while let next = state.timed.last, next.time <= now {
                jobs.append(next.job)
                state.timed.removeLast()
            }
            return jobs
        }
        for job in jobs { job() }
    }
}
