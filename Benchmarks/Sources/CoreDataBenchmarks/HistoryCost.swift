import CRawBaseline
import CoreData

/// What persistent history costs: the same work by the library with it, beside the library without it.
enum HistoryCost {
    static let all = [
        cost(
            "HS", "# saves of one changed object, synchronous=FULL", size: 2_000, bar: 1.2, stored: 1_000, "FULL", saves
        ),
        cost(
            "HO", "# saves of one changed object, synchronous=OFF", size: 5_000, bar: 1.6, stored: 1_000, "OFF", saves),
        cost("HI", "# objects inserted in one save", size: 50_000, bar: 2, stored: 0, "FULL", insertions),
        cost("HU", "# rows changed by one batch request", size: 200_000, bar: 6, stored: 200_000, "FULL", batch),
    ]

    private typealias Work = @Sendable (NSManagedObjectContext, Int) throws -> Void

    private static func cost(
        _ code: String, _ title: String, size: Int, bar: Double, stored: Int, _ synchronous: String,
        _ work: @escaping Work
    ) -> Benchmark {
        Benchmark(code, "\(title), with history by without", size: size, bar: bar, runs: 3) { count, bench in
            let rows = min(stored, count)
            func run(_ tracksHistory: Bool) throws -> Sample {
                try measure(bench, rows, count, synchronous, tracksHistory, work)
            }
            return Sides(ours: { try run(true) }, raw: { try run(false) })
        }
    }

    private static func measure(
        _ bench: Workbench, _ rows: Int, _ count: Int, _ synchronous: String, _ tracksHistory: Bool, _ work: Work
    ) throws -> Sample {
        let store = try ItemStore(count: rows, at: bench.place("History"))
        defer { store.remove() }
        let container = try store.open(pragmas: ["synchronous": synchronous], tracksHistory: tracksHistory)
        defer { try? Workbench.close(container) }
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let start = raw_now()
            try work(context, count)
            return raw_now() - start
        }
        let token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
        guard (token != nil) == tracksHistory else { throw Failure("the store's history is not as it should be") }
        return Sample(seconds: seconds)
    }

    private static func saves(_ context: NSManagedObjectContext, _ count: Int) throws {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.returnsObjectsAsFaults = false
        let items = try context.fetch(request)
        for number in 0..<count {
            items[number % items.count].a3 = Int64(2_000_000 + number)
            try context.save()
        }
    }

    private static func insertions(_ context: NSManagedObjectContext, _ count: Int) throws {
        for number in 0..<count {
            let item = Item(context: context)
            item.a0 = Int64(number)
            item.a1 = Int64(number)
        }
        try context.save()
    }

    private static func batch(_ context: NSManagedObjectContext, _ count: Int) throws {
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.propertiesToUpdate = ["a1": -1]
        update.resultType = .updatedObjectsCountResultType
        let result = try context.execute(update) as? NSBatchUpdateResult
        guard result?.result as? Int == count else { throw Failure("the batch changed other rows") }
    }
}
