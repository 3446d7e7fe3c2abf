import Dispatch
import Synchronization

/// The owner of a limited history: a store.
protocol HistoryTrimming: AnyObject, Sendable {
    /// Whether there is a limit.
    var limitsHistory: Bool { get }
    /// Deletes some of what need not be kept; false when there is nothing more to delete.
    func deleteSomeHistory() throws -> Bool
}

/// Deletes a store's history that need not be kept any more, after saves and apart from them.
///
/// May be used from any thread. Commits that follow each other closely are one reason to look.
final class HistoryTrimmer: Sendable {
    private static let pause = DispatchTimeInterval.milliseconds(50)

    private let isPending = Mutex(false)
    private let queue = DispatchQueue(label: "CoreData.HistoryTrimmer")

    /// Schedules a check for expired transactions, if the store's options limit its history.
    func noteCommit(in store: some HistoryTrimming) {
        guard store.limitsHistory else { return }
        let isNew = isPending.withLock { isPending in
            defer { isPending = true }
            return !isPending
        }
        guard isNew else { return }
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self, weak store] in
            guard let self, let store else { return }
            isPending.withLock { $0 = false }
            // A store that cannot be written now is checked after the next save.
            let hasMore = try? store.deleteSomeHistory()
            if hasMore == true { noteCommit(in: store) }
        }
    }
}
