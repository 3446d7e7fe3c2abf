import Synchronization

/// The number of rows for which a store has evaluated predicates in memory, since the server could not decide.
final class EvaluationCount: Sendable {
    private let count = Atomic<Int>(0)

    var rows: Int { count.load(ordering: .relaxed) }

    func add(_ rows: Int) { count.add(rows, ordering: .relaxed) }
}
