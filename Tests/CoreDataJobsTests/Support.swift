import Foundation
import LockKit
import TestBasics
import Testing

@testable import CoreDataJobs

/// A clock that a test moves; what waits for a time is called by the thread that moves it.
final class TestClock: Sendable {
    private struct State {
        var now = Duration.zero
        var waiting: [(time: Duration, block: @Sendable () -> Void)] = []
    }

    private let state = Locked(State())

    var now: Duration { state.withLock { $0.now } }
    /// How many blocks wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    var clock: JobClock {
        JobClock(
            now: { self.now },
            after: { time, block in self.state.withLock { $0.waiting.append(($0.now + time, block)) } })
    }

    /// Moves the time on, and calls what has become due on the way, each at its time.
    func advance(by time: Duration) {
        let end = now + time
        while let block = state.withLock({ state -> (@Sendable () -> Void)? in
            guard let next = state.waiting.indices.min(by: { state.waiting[$0].time < state.waiting[$1].time }),
                state.waiting[next].time <= end
            else { return nil }
            let (time, block) = state.waiting.remove(at: next)
            state.now = max(state.now, time)
            return block
        }) {
            block()
        }
        state.withLock { $0.now = end }
    }
}

/// A network that a test switches.
final class TestNetwork: NetworkStatus {
    private struct State {
        var isReachable: Bool
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
    }

    private let state: Locked<State>

    init(isReachable: Bool) { state = Locked(State(isReachable: isReachable)) }

    var isReachable: Bool { state.withLock { $0.isReachable } }
    var observerCount: Int { state.withLock { $0.observers.count } }

    func set(_ isReachable: Bool) {
        let observers = state.withLock { state in
            state.isReachable = isReachable
            return Array(state.observers.values)
        }
        for observer in observers { observer(isReachable) }
    }

    func observe(_ handler: @escaping @Sendable (Bool) -> Void) -> Observation {
        let number = state.withLock { state in
            state.observers[state.observers.count] = handler
            return state.observers.count - 1
        }
        return Observation { self.state.withLock { $0.observers[number] = nil } }
    }
}

/// A list that several threads append to.
final class Log<Element: Sendable>: Sendable {
    private let list = Locked<[Element]>([])

    var all: [Element] { list.withLock { $0 } }

    func append(_ element: Element) { list.withLock { $0.append(element) } }
}

/// A place at which work waits until a test lets it go on; it stays open.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let state = Locked((arrivals: 0, isOpen: false))

    var arrivalCount: Int { state.withLock { $0.arrivals } }

    func pass() {
        state.withLock { $0.arrivals += 1 }
        semaphore.wait()
        semaphore.signal()
    }

    /// For tasks, whose threads are too few to be blocked.
    func pass() async {
        state.withLock { $0.arrivals += 1 }
        while !state.withLock({ $0.isOpen }) { try? await Task.sleep(for: .milliseconds(1)) }
    }

    func open() {
        state.withLock { $0.isOpen = true }
        semaphore.signal()
    }
}

struct Refusal: Error, CustomStringConvertible { var description: String { "refused" } }

extension JobSnapshot {
    /// What tests compare.
    var brief: String { "\(state) \(completedUnitCount)/\(totalUnitCount)" }
}
