import Dispatch
import Foundation
import LockKit
import TestBasics
import Testing

@testable import CoreDataJobs

/// Dispatch's queues, semaphores and delayed calls.
@Suite(.timeLimit(.minutes(2))) struct DispatchTests {
    @Test("a serial queue keeps the order, and runs one block at a time (CONC-07)")
    func serial() {
        let (queue, log) = (DispatchQueue(label: "serial"), Log<Int>())
        let running = Locked((now: 0, most: 0))
        for number in 0..<1_000 {
            queue.async {
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                log.append(number)
                running.withLock { $0.now -= 1 }
            }
        }
        queue.sync {}
        #expect(log.all == Array(0..<1_000) && running.withLock { $0.most } == 1)
    }

    @Test("a barrier of a concurrent queue runs alone, after what was before it (CONC-07)")
    func barrier() {
        let (queue, log) = (DispatchQueue(label: "concurrent", attributes: .concurrent), Log<String>())
        for _ in 0..<20 { queue.async { log.append("before") } }
        queue.async(flags: .barrier) { log.append("barrier") }
        for _ in 0..<20 { queue.async { log.append("after") } }
        queue.sync(flags: .barrier) {}
        #expect(log.all.firstIndex(of: "barrier") == 20 && log.all.firstIndex(of: "after") == 21)
    }

    @Test("a semaphore of 3 admits three, one of 1 excludes, one of 0 admits none (CONC-07)", arguments: [0, 1, 3])
    func semaphore(value: Int) {
        let (semaphore, group) = (DispatchSemaphore(value: value), DispatchGroup())
        let inside = Locked((now: 0, most: 0))
        for _ in 0..<6 {
            // Threads of their own: Dispatch has as many as there are processors.
            group.enter()
            Thread {
                semaphore.wait()
                inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                Thread.sleep(forTimeInterval: 0.02)
                inside.withLock { $0.now -= 1 }
                semaphore.signal()
                group.leave()
            }.start()
        }
        if value == 0 {
            Thread.sleep(forTimeInterval: 0.05)
            #expect(inside.withLock { $0.most } == 0)
            semaphore.signal()
        }
        group.wait(for: "the threads")
        #expect(inside.withLock { $0.most } == max(1, value))
        #expect(semaphore.wait(timeout: .now()) == .success)
        semaphore.signal()
    }

    @Test("apply runs each of its blocks once, and waits for all (CONC-07)")
    func apply() {
        let counts = (0..<1_000).map { _ in Counter() }
        DispatchQueue.concurrentPerform(iterations: 1_000) { counts[$0].add() }
        #expect(counts.allSatisfy { $0.value == 1 })
        DispatchQueue.concurrentPerform(iterations: 0) { _ in Issue.record("there is nothing to run") }
    }

    @Test("a synchronous call to the own queue ends the process (CONC-07)")
    func ownQueue() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            let queue = DispatchQueue(label: "own")
            queue.sync { queue.sync {} }
        }
    }

    @Test("so it does by way of another queue, and a synchronous call to the main queue from there (CONC-07)")
    func ownQueueOnTheWay() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
            one.sync { other.sync { one.sync {} } }
        }
        await #expect(processExitsWith: .signal(SIGILL)) {
            DispatchQueue.main.async { DispatchQueue.main.sync {} }
            try? await Task.sleep(for: .seconds(30))
        }
    }

    @Test("a semaphore that goes while it is held ends the process (CONC-07)")
    func releasedSemaphore() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            var semaphore: DispatchSemaphore? = DispatchSemaphore(value: 1)
            semaphore?.wait()
            semaphore = nil
        }
    }

    @Test("a delayed call runs not before its delay, and in the order of the times (CONC-09)")
    func delayed() {
        let (queue, log, group) = (DispatchQueue(label: "delayed"), Log<(delay: Int, early: Bool)>(), DispatchGroup())
        for delay in [30, 10, 20] {
            group.enter()
            let due = DispatchTime.now() + .milliseconds(delay)
            queue.asyncAfter(deadline: due) {
                log.append((delay, DispatchTime.now() < due))
                group.leave()
            }
        }
        group.wait(for: "the calls")
        #expect(log.all.map(\.delay) == [10, 20, 30] && log.all.allSatisfy { !$0.early })
    }

    @Test("a delayed call that is cancelled never runs (CONC-09)")
    func cancelledDelayed() {
        let (queue, log) = (DispatchQueue(label: "delayed"), Log<String>())
        let call = DispatchWorkItem { log.append("ran") }
        queue.asyncAfter(deadline: .now() + .milliseconds(20), execute: call)
        call.cancel()
        let later = DispatchSemaphore(value: 0)
        queue.asyncAfter(deadline: .now() + .milliseconds(60)) { later.signal() }
        later.wait(for: "a later call")
        #expect(log.all.isEmpty && call.isCancelled)
    }

    /// A screen that is refreshed again and again while it is there.
    private final class Screen: Sendable {
        private let timer: Locked<(any DispatchSourceTimer)?>

        init(_ log: Log<String>) {
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "refresh"))
            timer.setEventHandler { log.append("refreshed") }
            timer.schedule(deadline: .now(), repeating: .milliseconds(15))
            timer.activate()
            self.timer = Locked(timer)
        }

        deinit { timer.withLock { $0?.cancel() } }
    }

    @Test("a refresh at intervals stops when its screen is gone (CONC-09)")
    func refresh() {
        let log = Log<String>()
        var screen: Screen? = Screen(log)
        eventually("some refreshes") { log.all.count > 2 }
        withExtendedLifetime(screen) {}
        screen = nil
        // One may be under way.
        Thread.sleep(forTimeInterval: 0.03)
        let count = log.all.count
        Thread.sleep(forTimeInterval: 0.1)
        #expect(log.all.count == count)
    }

    @Test("long work off the main queue leaves it free (CONC-10)")
    @MainActor func mainQueueIsFree() async throws {
        let (queue, gate) = (JobQueue(), Gate())
        let job = Job("Save pictures") { _ in gate.pass() }
        try queue.add(job)
        await eventually("the work") { gate.arrivalCount == 1 }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(job.state == .running)
        gate.open()
        try await job.waitForCompletion()
    }
}

/// A number that threads count up.
final class Counter: Sendable {
    private let number = Locked(0)

    var value: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
