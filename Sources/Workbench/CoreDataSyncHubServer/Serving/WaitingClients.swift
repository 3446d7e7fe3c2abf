import Dispatch
import Synchronization

/// The requests that wait for a change of a group. None of them has a thread.
final class WaitingClients: Sendable {
    private struct Waiter: Sendable {
        let group: String
        let end: ContinuousClock.Instant
        let answer: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiters: [UInt64: Waiter] = [:]
        var isWatched = false
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// Answers on a queue.
    init(answeringOn queue: DispatchQueue) { self.queue = queue }

    var count: Int { state.withLock { $0.waiters.count } }

    /// Calls a block once, when the group changes or some seconds are over, unless the waiter is removed before.
    func add(_ number: UInt64, to group: String, for seconds: Double, answer: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.waiters[number] = Waiter(group: group, end: .now + .seconds(seconds), answer: answer)
            watch(&state)
        }
    }

    func remove(_ number: UInt64) { state.withLock { _ = $0.waiters.removeValue(forKey: number) } }

    /// Answers one waiter, if it still waits.
    func wake(_ number: UInt64) { wake { key, _ in key == number } }

    /// Answers all that wait for a change of a group.
    func wake(group: String) { wake { $1.group == group } }

    /// Answers all.
    func wakeAll() { wake { _, _ in true } }

    private func wake(where isMeant: (UInt64, Waiter) -> Bool) {
        let woken = state.withLock { state in
            let woken = state.waiters.filter { isMeant($0.key, $0.value) }
            for number in woken.keys { state.waiters[number] = nil }
            return woken
        }
        for waiter in woken.values { queue.async(execute: waiter.answer) }
    }

    /// Looks for waiters whose time is over, once a second until there is none.
    private func watch(_ state: inout State) {
        guard !state.isWatched else { return }
        state.isWatched = true
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.endOverdue() }
    }

    private func endOverdue() {
        let now = ContinuousClock.now
        wake { $1.end <= now }
        state.withLock { state in
            state.isWatched = false
            if !state.waiters.isEmpty { watch(&state) }
        }
    }
}
