import CoreData
import Synchronization

/// The running and the retained comparisons.
///
/// Invariants:
/// 1. At most `limit` comparisons run at once, and at most `limit` are retained; the least recently used one is
///    removed.
/// 2. A comparison ends soon after its request is cancelled.
final class ComparisonRegistry: Sendable {
    /// A running comparison.
    private final class Running: Sendable {
        let question: ComparisonQuestion
        let count = Atomic<Int>(0)

        init(_ question: ComparisonQuestion) { self.question = question }
    }

    private struct State {
        /// In the order of use: the most recently used one is the last.
        var kept: [KeptComparison] = []
        var running: [Running] = []
        var lastNumber = 0
    }

    private static let limit = 4
    private let state = Mutex(State())

    /// The kept comparison of a name.
    func kept(_ id: String) -> KeptComparison? { used { $0.id == id } }

    /// The kept comparison of a question, if the stores are still in the states that were compared.
    func kept(_ question: ComparisonQuestion, _ versions: [StoreVersion]) -> KeptComparison? {
        used { $0.question == question && $0.versions == versions }
    }

    private func used(_ matches: (KeptComparison) -> Bool) -> KeptComparison? {
        state.withLock { state in
            guard let place = state.kept.lastIndex(where: matches) else { return nil }
            let found = state.kept.remove(at: place)
            state.kept.append(found)
            return found
        }
    }

    /// The number of objects that the most advanced running comparison of a question has read; nil if none runs.
    func progress(of question: ComparisonQuestion) -> Int? {
        state.withLock { state in
            state.running.filter { $0.question == question }.map { $0.count.load(ordering: .relaxed) }.max()
        }
    }

    /// Compares two stores and retains the result.
    ///
    /// - Throws: `BrowserFailure` 503 where too many comparisons run, `CancellationError`, and errors of opening or
    ///   reading the files.
    func compare(
        _ question: ComparisonQuestion, versions: [StoreVersion], left: StoreFileAccess, right: StoreFileAccess
    ) async throws -> KeptComparison {
        let cancellation = ReadCancellation()
        return try await BrowsedStore.onOwnThread(cancellation) {
            do {
                return try self.comparing(question, versions: versions, left: left, right: right)
            } catch {
                throw cancellation.isCancelled ? CancellationError() : error
            }
        }
    }

    /// The same on the calling thread; ends when the current `ReadCancellation` is canceled.
    ///
    /// - Throws: As above.
    func comparing(
        _ question: ComparisonQuestion, versions: [StoreVersion], left: StoreFileAccess, right: StoreFileAccess,
        progress: (Int) -> Void = { _ in }
    ) throws -> KeptComparison {
        let running = Running(question)
        let id = try state.withLock { state in
            guard state.running.count < Self.limit else {
                throw BrowserFailure(
                    503, code: "busy", reason: "\(Self.limit) comparisons are running", hint: "try again later")
            }
            state.running.append(running)
            state.lastNumber += 1
            return "c\(state.lastNumber)"
        }
        defer { state.withLock { state in state.running.removeAll { $0 === running } } }
        let kept = try Self.run(id, question: question, versions: versions, left: left, right: right) { count in
            running.count.store(count, ordering: .relaxed)
            progress(count)
        }
        state.withLock { state in
            state.kept.append(kept)
            if state.kept.count > Self.limit { state.kept.removeFirst() }
        }
        return kept
    }

    private static func run(
        _ id: String, question: ComparisonQuestion, versions: [StoreVersion], left: StoreFileAccess,
        right: StoreFileAccess, progress: (Int) -> Void
    ) throws -> KeptComparison {
        let (one, other) = (try left.opened(for: .exporting), try right.opened(for: .exporting))
        defer {
            one.close()
            other.close()
        }
        let differences = try KeptComparison.Differences()
        let summary = try question.comparison(one, other).run(
            report: { try differences.add($0) }, progress: progress)
        return KeptComparison(id: id, question, versions: versions, summary: summary, differences: differences)
    }
}
