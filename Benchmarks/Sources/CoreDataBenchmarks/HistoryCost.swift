import CRawBaseline
import CoreData

/// What persistent history costs: the same work by the library with it and without it, and what C needs for the same rows and
/// the same history.
enum HistoryCost {
    static let all = [
        cost(
            "HS", "# saves of one changed object, synchronous=FULL", size: 2_000, bar: 1.2, stored: 1_000, "FULL", saves
        ),
        cost(
            "HO", "# saves of one changed object, synchronous=OFF", size: 5_000, bar: 1.6, stored: 1_000, "OFF", saves),
        Benchmark("HOC", "# recorded saves of one changed object, synchronous=OFF", size: 5_000, bar: 2, runs: 3) {
            count, bench in
            let rows = min(1_000, count)
            return Sides(
                ours: { try measure(bench, rows, count, "OFF", true, saves) },
                raw: { try raw(bench, rows) { raw_save_recorded($0, Int64(count), Int64(rows), "OFF") } })
        },
        recording("HI", "# objects inserted in one save", size: 50_000, areStored: false, insertions) {
            raw_insert_recorded($0, $1, $2)
        },
        recording("HU", "# rows changed by one batch request", size: 1_000_000, areStored: true, batch) {
            raw_update_recorded($0, $1, $2)
        },
    ]

    /// What the library needs beyond the same work without a history, beside what C needs beyond its own.
    private static func recording(
        _ code: String, _ title: String, size: Int, areStored: Bool, _ work: @escaping Work,
        _ raw: @escaping @Sendable (String, Int64, Int32) -> raw_writing
    ) -> Benchmark {
        Benchmark(code, size: size) { count, session in
            let (bench, rows) = (session.workbench, areStored ? count : 0)
            func sides(_ tracksHistory: Bool) -> Sides {
                Sides(
                    ours: { try measure(bench, rows, count, "FULL", tracksHistory, work) },
                    raw: { try Self.raw(bench, rows) { raw($0, Int64(count), tracksHistory ? 1 : 0) } })
            }
            let runs = min(3, session.runs)
            let with = try Measurement(of: sides(true), runs: runs)
            let without = try Measurement(of: sides(false), runs: runs)
            let name = title.replacing("#", with: "\(count)")
            // What is lost in the noise of small sizes counts as a hundredth of the work.
            func beyond(_ side: (Measurement) -> Sample) -> Sample {
                Sample(seconds: max(side(with).seconds - side(without).seconds, side(with).seconds / 100))
            }
            let recording = Measurement(ours: beyond(\.ours), raw: beyond(\.raw))
            return [
                Row(
                    name: "\(code)  \(name), with history beyond without", value: recording.ratio, bar: 1.3,
                    measurement: recording),
                Row(name: "\(code)  \(name), with history", value: with.ratio, measurement: with),
                Row(name: "\(code)  \(name), without", value: without.ratio, measurement: without),
            ]
        }
    }

    /// Work that C does in a store with the tables of a history.
    private static func raw(_ bench: Workbench, _ rows: Int, _ work: (String) -> raw_writing) throws -> Sample {
        let store = try ItemStore(count: rows, at: bench.place("RawHistory"))
        defer { store.remove() }
        try Workbench.close(try store.open(tracksHistory: true))
        let result = work(store.url.path)
        guard result.error == 0 else { throw Failure("the raw work failed with SQLite's result code \(result.error)") }
        return Sample(seconds: result.seconds)
    }

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
