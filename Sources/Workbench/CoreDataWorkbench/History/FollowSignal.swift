import Dispatch
import Synchronization

/// Wakes a thread that follows a history: when something may have been written, and when following is to end.
///
/// May be used from any thread.
package final class FollowSignal: Sendable {
    private let ended = Atomic(false)
    private let wakes = DispatchSemaphore(value: 0)

    package init() {}

    /// Whether following is to end.
    package var isEnded: Bool { ended.load(ordering: .acquiring) }

    package func end() {
        ended.store(true, ordering: .releasing)
        wakes.signal()
    }

    func wake() { wakes.signal() }

    /// Waits until it is woken, or until the time has passed; several calls of `wake` meanwhile count as one.
    func wait(_ time: DispatchTimeInterval) {
        guard wakes.wait(timeout: .now() + time) == .success else { return }
        while wakes.wait(timeout: .now()) == .success {}
    }
}
