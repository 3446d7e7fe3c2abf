import CRawBaseline
import CoreData
import CoreDataSyncing
import Foundation

/// What 1,000 changes cost that are exchanged after many earlier ones, beside a tenth of these: bytes, and processor time of both peers.
enum SyncPast {
    static let all = [
        Benchmark("YP", size: 100_000) { count, session in
            let few = try exchanged(after: count / 10, session.workbench)
            let many = try exchanged(after: count, session.workbench)
            return [
                Row(
                    name: "YP  exchange 1,000 changes after \(count) others, processor time, by after \(count / 10)",
                    value: many.seconds / few.seconds, bar: 1.2,
                    measurement: Measurement(ours: Sample(seconds: many.seconds), raw: Sample(seconds: few.seconds))),
                Row(name: "YP bytes  the same", value: many.bytes / few.bytes, bar: 1.2),
                Row(name: "YP bytes  of a changed attribute, before compression", value: many.bytes / 1_000, bar: 40),
            ]
        }
    ]

    private static func exchanged(
        after earlier: Int, _ bench: Workbench
    ) throws -> (seconds: Double, bytes: Double) {
        let peers = try SyncedItems.pair(bench, 1_000, synchronous: "OFF")
        let context = peers.0.context
        let items = try context.performAndWait { try context.fetch(NSFetchRequest<Item>(entityName: "Item")) }
        var (seconds, bytes, number) = (0.0, 0, 0)
        for portion in 0..<(earlier / 100 + 10) {
            try context.performAndWait {
                for _ in 0..<100 {
                    items[number % items.count].a3 &+= 1
                    try context.save()
                    number += 1
                }
            }
            let start = clock()
            let summary = try peers.0.exchange()
            try peers.1.exchange()
            guard portion >= earlier / 100 else { continue }
            seconds += Double(clock() - start) / Double(CLOCKS_PER_SEC)
            bytes += summary.writtenBytes
        }
        return (seconds, Double(bytes))
    }
}
