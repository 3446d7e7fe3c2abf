import CRawBaseline
import CoreData

/// Every object of a store, one after the other: what it takes, and how much memory it needs at its peak.
struct ObjectStreaming {
    let store: ItemStore
    /// The most that the process may grow by while it streams, in MiB.
    static let bar = 64.0

    var workload: Workload {
        Workload(
            name: "S  stream \(store.count) objects of 10 integers", bar: 3,
            ours: { try stream() },
            raw: {
                let result = raw_fetch_items(store.url.path)
                guard result.error == 0, result.rows == store.count else { throw Failure("the raw fetch failed") }
                return Sample(
                    seconds: result.seconds, bytesPerObject: Double(result.bytes) / Double(result.rows))
            })
    }

    /// The peak as a line; asked for before anything large has been measured, whose memory would be used again unseen.
    func line() throws -> String {
        let grown = try stream().bytesPerObject * Double(store.count) / 1_048_576
        return "Streaming \(store.count) objects: the process grew by " + String(format: "%.1f MiB", grown)
            + " (≤ \(Int(Self.bar))\(grown > Self.bar ? " missed" : ""))"
    }

    private func stream() throws -> Sample {
        let context = try store.open().newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            let before = try Self.residentBytes()
            let start = raw_now()
            var (peak, count, sum) = (before, 0, Int64(0))
            try context.objects(of: request).walk { item in
                count += 1
                sum &+= item[0]
                if count % 10_000 == 0 { peak = max(peak, try Self.residentBytes()) }
            }
            let seconds = raw_now() - start
            guard count == store.count, sum > 0 else { throw Failure("the stream gave \(count) objects") }
            return Sample(seconds: seconds, bytesPerObject: Double(peak - before) / Double(count))
        }
    }

    /// The memory that the process has in use, as the system counts it.
    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure("the system does not say how much memory is in use")
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
