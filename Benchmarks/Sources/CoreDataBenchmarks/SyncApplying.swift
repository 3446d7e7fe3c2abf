import CRawBaseline
import CoreData
import CoreDataSyncing

/// What applying a peer's changes costs, beside saving the same through a context.
enum SyncApplying {
    static let all = [
        applying("YAI", "apply # new objects of ten integers of a peer, by saving them", size: 10_000, stored: 0) {
            context, _, count in
            for number in 0..<count { fill(Item(context: context), number) }
            try context.save()
        },
        applying(
            "YAU", "apply one changed attribute of # objects of a peer, by saving them", size: 10_000, stored: 10_000
        ) { context, items, _ in
            for item in items { item.a3 &+= 1 }
            try context.save()
        },
        applying(
            "YAS", "apply single changes of a peer, # items, by saving each", size: 300, stored: 300, isSingle: true
        ) {
            context, items, number in
            items[number].a3 &+= 1
            try context.save()
        },
    ]

    private typealias Work = @Sendable (NSManagedObjectContext, [Item], Int) throws -> Void

    private static func fill(_ item: Item, _ number: Int) {
        let value = Int64(number)
        item.a0 = value
        item.a1 = value &* 3
        item.a2 = value &* 5
        item.a3 = value &* 7
        item.a4 = value &* 11
        item.a5 = value &* 13
        item.a6 = value &* 17
        item.a7 = value &* 19
        item.a8 = value &* 23
        item.a9 = value &* 29
    }

    private static func applying(
        _ code: String, _ title: String, size: Int, stored: Int, isSingle: Bool = false, _ work: @escaping Work
    ) -> Benchmark {
        Benchmark(code, title, size: size, bar: 3, runs: 3) { count, bench in
            let peers = try bench.meanwhile(code) { try SyncedItems.pair(bench, min(stored, count)) }
            let alone = try bench.meanwhile(code + " alone") {
                try SyncedItems(bench, min(stored, count), over: MemoryTransport())
            }
            return Sides(
                ours: {
                    var seconds = 0.0
                    for number in isSingle ? 0..<count : count..<count + 1 {
                        _ = try save(peers.0, number, work)
                        try peers.0.exchange()
                        let start = raw_now()
                        let summary = try peers.1.exchange()
                        seconds += raw_now() - start
                        guard summary.inserted + summary.updated == (isSingle ? 1 : count) else {
                            throw Failure("the peer applied other changes")
                        }
                    }
                    return Sample(seconds: seconds)
                },
                raw: {
                    Sample(
                        seconds: try (isSingle ? 0..<count : count..<count + 1).reduce(0) {
                            try $0 + save(alone, $1, work)
                        })
                })
        }
    }

    private static func save(_ peer: SyncedItems, _ number: Int, _ work: Work) throws -> Double {
        let context = peer.context
        return try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            request.sortDescriptors = []
            let items = try context.fetch(request)
            let start = raw_now()
            try work(context, items, number)
            let seconds = raw_now() - start
            context.reset()
            return seconds
        }
    }
}
