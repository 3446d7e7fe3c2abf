import Dispatch
import Synchronization

/// Wakes who follows a history: when something may have been written, and when it is to end.
///
/// May be used from any thread.
package final class FollowSignal: Sendable {
    private let ended = Atomic(false)
    private let wakes = DispatchSemaphore(value: 0)

    package init() {}

    /// Whether the following is to end.
    package var isEnded: Bool { ended.load(ordering: .acquiring) }

    package func end() {
        ended.store(true, ordering: .releasing)
        wakes.signal()
    }

    func wake() { wakes.signal() }

    /// Waits to be woken, or for so long; what woke several times meanwhile wakes once.
    func wait(_ time: DispatchTimeInterval) {
        guard wakes.wait(timeout: .now() + time) == .success else { return }
        while wakes.wait(timeout: .now()) == .success {}
    }
}
