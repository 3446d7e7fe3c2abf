import CRawBaseline
import CoreData
import CoreDataSyncing

/// What sync costs who saves, beside the same saves with history alone.
///
/// A save itself does nothing for sync: it is captured in an exchange. So the saves are measured alone while a session is joined, and
/// together with exchanges over a transport in memory.
enum SyncSaving {
    static let all = [
        cost("YS", "# saves of one changed object in a store that takes part, by history alone", size: 2_000),
        cost(
            "YE", "# saves of one changed object, an exchange after each hundred, by history alone", size: 2_000,
            exchanging: 100),
        cost(
            "YEO", "the same # saves, synchronous=OFF", size: 5_000, synchronous: "OFF", exchanging: 100),
        cost(
            "YE1", "# saves of one changed object, an exchange after each, by history alone", size: 500, exchanging: 1),
    ]

    private static func cost(
        _ code: String, _ title: String, size: Int, synchronous: String = "FULL", exchanging interval: Int? = nil
    ) -> Benchmark {
        Benchmark(code, title, size: size, bar: 1.3, runs: 3) { count, bench in
            let rows = min(1_000, count)
            let synced = try bench.meanwhile(code) { try pair(bench, rows, synchronous) }
            let alone = try bench.meanwhile(code + " alone") {
                try SyncedItems(bench, rows, over: MemoryTransport(), synchronous: synchronous)
            }
            return Sides(
                ours: {
                    try measure(synced.0, count, interval)
                },
                raw: { try measure(alone, count, nil) })
        }
    }

    private static func pair(
        _ bench: Workbench, _ rows: Int, _ synchronous: String
    ) throws -> (SyncedItems, SyncedItems) {
        try SyncedItems.pair(bench, rows, synchronous: synchronous)
    }

    private static func measure(_ peer: SyncedItems, _ count: Int, _ interval: Int?) throws -> Sample {
        let context = peer.context
        let items = try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            return try context.fetch(request)
        }
        let start = raw_now()
        for first in stride(from: 0, to: count, by: interval ?? count) {
            try context.performAndWait {
                for number in first..<min(first + (interval ?? count), count) {
                    items[number % items.count].a3 &+= 1 + Int64(number)
                    try context.save()
                }
            }
            if interval != nil { try peer.exchange() }
        }
        return Sample(seconds: raw_now() - start)
    }
}
