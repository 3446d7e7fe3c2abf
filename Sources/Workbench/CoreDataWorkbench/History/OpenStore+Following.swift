import CoreData
import Dispatch

extension OpenStore {
    /// The interval at which the store is checked for new transactions, and at which `pause` is called, if the system
    /// reports no writes.
    private static var interval: DispatchTimeInterval { .seconds(1) }

    /// Passes the transactions that a filter selects to `body`, and then each new transaction of any process, until the
    /// signal ends it.
    ///
    /// `pause` is called when there are no more transactions for now, and about once a second.
    /// - Throws: Errors of `readHistory`, of `body` and of `pause`.
    package func followHistory(
        _ filter: HistoryFilter, until signal: FollowSignal, _ body: (HistoryPart) throws -> Void,
        pause: () throws -> Void
    ) throws {
        let history = try store.keptHistory()
        let watching = store.objects?.changeWatching
        // Watching starts before the first read, so that no write between that read and the first wait is missed.
        store.serialized { _ = watching?.watchWrites { signal.wake() } }
        defer { store.serialized { _ = watching?.watchWrites(nil) } }
        var last = try namingFile { try store.serialized { try history.historyExtent().newest } }
        var start = filter.limit > 0 ? try store.newest(filter, of: history) : nil
        while true {
            var iteration = HistoryIteration(store, history: history, filter: filter)
            iteration.isStopped = { signal.isEnded }
            try iteration.run(after: start, body)
            last = max(last, iteration.last)
            start = .number(last)
            repeat {
                try pause()
                if signal.isEnded { return }
                signal.wait(Self.interval)
                if signal.isEnded { return }
            } while try !mayHaveChanged(watching)
        }
    }

    private func mayHaveChanged(_ watching: (any ChangeWatching)?) throws -> Bool {
        guard let watching else { return true }
        return try namingFile { try store.serialized { try watching.takeForeignCommit() } }
    }
}
