import CRawBaseline
import CoreData

/// A long history read by whoever follows it: its changes some at a time, and how many they are.
enum HistoryReading {
    static let all = [
        Benchmark("HR", "# changes of history, in batches of 10,000", size: 1_000_000, bar: 3) { count, bench in
            let store = try HistoryStore.made(count, bench)
            return Sides(ours: { try changes(store) }, raw: { try rawChanges(store) })
        },
        Benchmark("HRC", "count of # changes of history, by reading them", size: 1_000_000, bar: 3) { count, bench in
            let store = try HistoryStore.made(count, bench)
            return Sides(ours: { try counted(store) }, raw: { try rawChanges(store) })
        },
    ]

    /// Each batch is a request for the changes of the next transactions.
    private static func changes(_ store: HistoryStore) throws -> Sample {
        try reading(store) { context in
            var (sum, rows) = (UInt64(0), 0)
            for first in stride(from: 1, through: store.transactions, by: HistoryStore.batch) {
                let wanted = NSPersistentHistoryTransaction.fetchRequest
                wanted?.predicate = NSPredicate(
                    format: "transactionNumber >= %d AND transactionNumber < %d", first, first + HistoryStore.batch)
                guard let wanted else { throw Failure("there is no request for transactions") }
                let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: wanted)
                request.resultType = .changesOnly
                let result = try context.execute(request) as? NSPersistentHistoryResult
                guard let changes = result?.result as? [NSPersistentHistoryChange] else {
                    throw Failure("the history gave no changes")
                }
                for change in changes {
                    sum &+= UInt64(bitPattern: change.changeID &+ Int64(change.changeType.rawValue))
                }
                rows += changes.count
            }
            guard rows == store.count, sum == store.sum else { throw Failure("the history is not as it was written") }
        }
    }

    private static func counted(_ store: HistoryStore) throws -> Sample {
        try reading(store) { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            request.resultType = .count
            let result = try context.execute(request) as? NSPersistentHistoryResult
            guard result?.result as? Int == store.count else { throw Failure("the history counts wrong") }
        }
    }

    /// Only the reading is timed: the store is open when it begins.
    private static func reading(
        _ store: HistoryStore, _ work: (NSManagedObjectContext) throws -> Void
    ) throws -> Sample {
        let container = try store.items.open(tracksHistory: true)
        defer { try? Workbench.close(container) }
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let start = raw_now()
            try work(context)
            return raw_now() - start
        }
        return Sample(seconds: seconds)
    }

    private static func rawChanges(_ store: HistoryStore) throws -> Sample {
        let size = Int64(HistoryStore.batch * HistoryStore.changesEach)
        let result = raw_read_history(store.items.url.path, Int64(store.count), size)
        guard result.error == 0, result.rows == store.count, result.sum == store.sum else {
            throw Failure("the raw reading saw another history: result code \(result.error)")
        }
        return Sample(seconds: result.seconds)
    }
}

/// A store without objects, whose history says of many what became of them.
private struct HistoryStore {
    /// The transactions of one request.
    static let batch = 100
    /// As many as `raw_fill_history` writes.
    static let changesEach = 100

    let items: ItemStore
    let transactions: Int

    var count: Int { transactions * Self.changesEach }

    /// The keys and kinds of all changes: four of five are updates.
    var sum: UInt64 { UInt64(count) * UInt64(count + 1) / 2 + UInt64(count / 5 * 4) }

    static func made(_ count: Int, _ bench: Workbench) throws -> HistoryStore {
        try bench.once("history \(count)") {
            let items = try ItemStore(count: 0, at: bench.place("LongHistory"))
            try Workbench.close(try items.open(tracksHistory: true))
            let store = HistoryStore(items: items, transactions: max(1, count / changesEach))
            let result = raw_fill_history(items.url.path, Int64(store.count))
            guard result == 0 else { throw Failure("SQLite could not fill the history: result code \(result)") }
            return store
        }
    }
}
