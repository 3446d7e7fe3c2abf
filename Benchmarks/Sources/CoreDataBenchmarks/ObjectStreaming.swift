import CRawBaseline
import CoreData

/// Every object of a store, one after the other: what it takes, and how much memory it needs at its peak.
enum ObjectStreaming {
    static let all = [
        // Measured before anything large has been, whose memory would be used again unseen.
        Benchmark("S bytes", size: 1_000_000) { count, session in
            let grown = try stream(try session.workbench.items(count)).bytesPerObject * Double(count) / 1_048_576
            return [
                Row(name: "S bytes  the process grew while it streamed \(count) objects, MiB", value: grown, bar: 64)
            ]
        },
        Benchmark("S", "stream # objects of 10 integers", size: 1_000_000, bar: 3, runs: 3) { count, bench in
            let store = try bench.items(count)
            return Sides(
                ours: { try stream(store) },
                raw: {
                    let result = raw_fetch_items(store.url.path)
                    guard result.error == 0, result.rows == store.count else { throw Failure("the raw fetch failed") }
                    return Sample(
                        seconds: result.seconds, bytesPerObject: Double(result.bytes) / Double(result.rows))
                })
        },
    ]

    private static func stream(_ store: ItemStore) throws -> Sample {
        let context = try store.open().newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            let before = try ProcessMemory.resident()
            let start = raw_now()
            var (peak, count, sum) = (before, 0, Int64(0))
            try context.objects(of: request).enumerateObjects { item in
                count += 1
                sum &+= item.a0
                if count % 10_000 == 0 { peak = max(peak, try ProcessMemory.resident()) }
            }
            let seconds = raw_now() - start
            guard count == store.count, sum > 0 else { throw Failure("the stream gave \(count) objects") }
            return Sample(seconds: seconds, bytesPerObject: Double(peak - before) / Double(count))
        }
    }
}
