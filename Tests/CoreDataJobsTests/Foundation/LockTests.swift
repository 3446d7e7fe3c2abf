import Dispatch
import Foundation
import Synchronization
import TestBasics
import Testing

/// Locks of Foundation and of Swift's library.
@Suite(.timeLimit(.minutes(2))) struct LockTests {
    /// What the lock guards.
    private final class Guarded: @unchecked Sendable {
        var count = 0
        var first = "Samantha"
        var last = "Jones"
    }

    private static let locks: [String: @Sendable () -> any NSLocking & Sendable] = [
        "NSLock": { NSLock() }, "NSRecursiveLock": { NSRecursiveLock() }, "NSCondition": { NSCondition() },
    ]

    /// Calls a block in each of 8 threads.
    private func threads(_ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for number in 0..<8 {
            group.enter()
            Thread {
                body(number)
                group.leave()
            }.start()
        }
        group.wait(for: "the threads")
    }

    @Test(
        "increments from 8 threads are exact under a lock (CONC-08)",
        arguments: [("NSLock", 125_000), ("NSRecursiveLock", 10_000), ("NSCondition", 10_000)])
    func increments(name: String, count: Int) throws {
        let make = try #require(Self.locks[name])
        let lock = make()
        let guarded = Guarded()
        threads { _ in
            for _ in 0..<count {
                lock.lock()
                guarded.count += 1
                lock.unlock()
            }
        }
        #expect(guarded.count == 8 * count)
    }

    @Test(
        "1,000,000 increments from 8 threads are exact with Atomic, and fewer with Mutex and on a serial queue (CONC-08)"
    )
    func otherIncrements() {
        let (mutex, atomic) = (MutexCounter(), AtomicCounter())
        let (queue, guarded) = (DispatchQueue(label: "count"), Guarded())
        threads { _ in
            for _ in 0..<125_000 { atomic.add() }
            // Where many threads meet both are slow.
            for _ in 0..<1_000 {
                mutex.add()
                queue.sync { guarded.count += 1 }
            }
        }
        #expect(mutex.value == 8_000 && atomic.value == 1_000_000 && queue.sync { guarded.count } == 8_000)
    }

    private final class MutexCounter: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock { $0 } }

        func add() { number.withLock { $0 += 1 } }
    }

    private final class AtomicCounter: Sendable {
        private let number = Atomic(0)

        var value: Int { number.load(ordering: .relaxed) }

        func add() { number.add(1, ordering: .relaxed) }
    }

    @Test("two fields that are set under a lock are never seen half done (CONC-08)", arguments: locks.keys.sorted())
    func twoFields(name: String) throws {
        let make = try #require(Self.locks[name])
        let lock = make()
        let guarded = Guarded()
        let seen = Mutex<Set<String>>([])
        threads { number in
            for step in 0..<2_000 {
                lock.lock()
                if number % 2 == 0 {
                    let names = step % 2 == 0 ? ("George", "Washington") : ("Samantha", "Jones")
                    (guarded.first, guarded.last) = names
                } else {
                    let name = "\(guarded.first) \(guarded.last)"
                    seen.withLock { _ = $0.insert(name) }
                }
                lock.unlock()
            }
        }
        let names = seen.withLock { $0 }
        #expect(names.isSubset(of: ["George Washington", "Samantha Jones"]) && !names.isEmpty, "\(names)")
    }

    @Test("a lock that is held is not taken by try, nor before a date (CONC-08)")
    func heldLock() {
        let (lock, free) = (NSLock(), DispatchSemaphore(value: 0))
        lock.lock()
        Thread {
            #expect(!lock.try() && !lock.lock(before: Date() + 0.01))
            free.signal()
        }.start()
        free.wait(for: "the other thread")
        lock.unlock()
        #expect(lock.try())
        lock.unlock()
        let recursive = NSRecursiveLock()
        recursive.lock()
        #expect(recursive.try())
        recursive.unlock()
        recursive.unlock()
    }

    /// Waits with a call in a thread of its own.
    private static func waitElsewhere(_ body: @escaping @Sendable () -> Void) {
        let waiting = DispatchSemaphore(value: 0)
        Thread {
            body()
            waiting.signal()
        }.start()
        waiting.wait(for: "the call")
    }

    private static func waitForConditionLock() {
        let lock = NSConditionLock()
        lock.lock()
        waitElsewhere { lock.lock() }
    }

    private static func waitForLockUntilDistantFuture() {
        let lock = NSLock()
        lock.lock()
        waitElsewhere { _ = lock.lock(before: .distantFuture) }
    }

    @Test("a wait for an NSConditionLock that is held, or until the distant future, ends the process here (CONC-08)")
    func waitsThatTrap() async {
        // Foundation cannot make a time of the system of `Date.distantFuture`, until which an NSConditionLock waits.
        await #expect(processExitsWith: .signal(SIGILL)) { Self.waitForConditionLock() }
        await #expect(processExitsWith: .signal(SIGILL)) { Self.waitForLockUntilDistantFuture() }
    }

    @Test("a condition that is not signaled is waited for until its date (CONC-08)")
    func conditionUntilDate() {
        let condition = NSCondition()
        condition.lock()
        #expect(!condition.wait(until: Date() + 0.01))
        condition.unlock()
    }
}
