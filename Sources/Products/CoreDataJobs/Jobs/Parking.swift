import Dispatch

/// What wakes work that stands at a pause point, whether it blocks a thread or suspends a task.
struct Parking {
    private var wakers: [@Sendable () -> Void] = []

    mutating func add(_ waker: @escaping @Sendable () -> Void) { wakers.append(waker) }

    /// Takes all, to be called without a lock held.
    mutating func removeAll() -> [@Sendable () -> Void] {
        defer { wakers = [] }
        return wakers
    }
}
