import CoreData
import Dispatch

extension OpenStore {
    /// The interval between looks at the store or its reader's output where the system reports no writes.
    private static var interval: DispatchTimeInterval { .seconds(1) }

    /// Hands out the transactions that a filter takes, and then those that are committed, by whichever process, until the
    /// signal ends it.
    ///
    /// `pause` is called when there is nothing more to hand out for now, and about once a second.
    /// - Throws: what `readHistory` throws, and what `body` and `pause` throw.
    package func followHistory(
        _ filter: HistoryFilter, until signal: FollowSignal, _ body: (HistoryPart) throws -> Void,
        pause: () throws -> Void
    ) throws {
        let history = try store.keptHistory()
        let watching = store.objects?.changeWatching
        // Watched before the first reading, so that nothing is missed between it and the first waiting.
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
