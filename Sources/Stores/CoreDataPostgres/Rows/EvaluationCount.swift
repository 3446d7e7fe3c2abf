import Synchronization

/// How many rows a store has asked predicates of in memory, since the server could not decide about them.
final class EvaluationCount: Sendable {
    private let count = Atomic<Int>(0)

    var rows: Int { count.load(ordering: .relaxed) }

    func add(_ rows: Int) { count.add(rows, ordering: .relaxed) }
}
