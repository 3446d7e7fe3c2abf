import Dispatch
import Synchronization

/// A store whose history may be limited.
protocol HistoryTrimming: AnyObject, Sendable {
    /// Whether the store's options limit its history.
    var limitsHistory: Bool { get }
    /// Deletes some expired transactions; returns false if there are no more.
    func deleteSomeHistory() throws -> Bool
}

/// Deletes expired transactions of a store's history, asynchronously after saves.
///
/// May be used from any thread. Commits in quick succession cause one check.
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
