import Synchronization

/// Counts the tasks that answer requests; a task may run for a moment after its client has disconnected.
final class RunningTasks: Sendable {
    private let running = Atomic(0)

    var count: Int { running.load(ordering: .acquiring) }

    func begin() { running.add(1, ordering: .relaxed) }

    func end() { running.subtract(1, ordering: .releasing) }
}
