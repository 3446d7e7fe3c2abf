import CRawBaseline
import CoreData

/// Objects of ten integers created, changed in one attribute, and deleted: in one save, or each in a save of its own.
///
/// Each run has a store of its own, made before the clock starts.
enum IntegerSaving {
    static let all = [
        Benchmark("B", "create and save # objects of 10 integers", size: 50_000, bar: 5, stretch: 3.5) {
            count, bench in
            Sides(
                ours: { try write(bench, stored: 0, insert(count), left: count) },
                raw: { try raw(bench, stored: 0) { raw_insert_items($0, Int64(count)) } })
        },
        Benchmark("C", "change one attribute of # objects and save", size: 10_000, bar: 5, stretch: 3) {
            count, bench in
            Sides(
                ours: { try write(bench, stored: count, update, left: count) },
                raw: { try raw(bench, stored: count) { raw_update_items($0, Int64(count)) } })
        },
        Benchmark("D", "delete # objects and save", size: 10_000, bar: 5, stretch: 3) { count, bench in
            Sides(
                ours: { try write(bench, stored: count, delete, left: 0) },
                raw: { try raw(bench, stored: count) { raw_delete_items($0, Int64(count)) } })
        },
        single("SF", "FULL", bar: 1.3, stretch: 1.15), single("SN", "NORMAL", bar: 3, stretch: 2),
    ]

    typealias Change = (NSManagedObjectContext, [Item]) throws -> Void

    /// Saves of one changed object each; both sides have the same `synchronous`.
    private static func single(_ code: String, _ synchronous: String, bar: Double, stretch: Double) -> Benchmark {
        Benchmark(
            code, "# saves of one changed object, synchronous=\(synchronous)", size: 10_000, bar: bar,
            stretch: stretch, runs: 3
        ) { count, bench in
            let rows = max(1, count / 10)
            return Sides(
                ours: {
                    try write(bench, stored: rows, saves(count), left: rows, pragmas: ["synchronous": synchronous])
                },
                raw: { try raw(bench, stored: rows) { raw_save_items($0, Int64(count), Int64(rows), synchronous) } })
        }
    }

    private static func write(
        _ bench: Workbench, stored: Int, _ change: Change, left: Int, pragmas: [String: String] = [:]
    ) throws -> Sample {
        let store = try ItemStore(count: stored, at: bench.place("Written"))
        defer { store.remove() }
        let container = try store.open(pragmas: pragmas)
        defer { try? Workbench.close(container) }
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            let items = stored == 0 ? [] : try context.fetch(request)
            let start = raw_now()
            try change(context, items)
            try context.save()
            return raw_now() - start
        }
        let rows = try container.newBackgroundContext().count(for: NSFetchRequest<Item>(entityName: "Item"))
        guard rows == left else { throw Failure("the store has \(rows) rows after the save") }
        return Sample(seconds: seconds)
    }

    private static func raw(_ bench: Workbench, stored: Int, _ write: (String) -> raw_writing) throws -> Sample {
        let store = try ItemStore(count: stored, at: bench.place("Raw"))
        defer { store.remove() }
        let result = write(store.url.path)
        guard result.error == 0 else { throw Failure("the raw save failed with SQLite's result code \(result.error)") }
        return Sample(seconds: result.seconds)
    }

    static func insert(_ count: Int) -> Change {
        { context, _ in
            for row in 1...Int64(count) {
                let item = Item(context: context)
                item.a0 = (row * 31) % 1_000_003
                item.a1 = (row * 31 + 7) % 1_000_003
                item.a2 = (row * 31 + 14) % 1_000_003
                item.a3 = (row * 31 + 21) % 1_000_003
                item.a4 = (row * 31 + 28) % 1_000_003
                item.a5 = (row * 31 + 35) % 1_000_003
                item.a6 = (row * 31 + 42) % 1_000_003
                item.a7 = (row * 31 + 49) % 1_000_003
                item.a8 = (row * 31 + 56) % 1_000_003
                item.a9 = (row * 31 + 63) % 1_000_003
            }
        }
    }

    private static func update(_ context: NSManagedObjectContext, _ items: [Item]) {
        for (index, item) in items.enumerated() { item.a0 = Int64(index) * 17 }
    }

    private static func delete(_ context: NSManagedObjectContext, _ items: [Item]) {
        for item in items { context.delete(item) }
    }

    private static func saves(_ count: Int) -> Change {
        { context, items in
            for number in 0..<count {
                items[number % items.count].a0 = Int64(number) * 17 + 5
                try context.save()
            }
        }
    }
}
