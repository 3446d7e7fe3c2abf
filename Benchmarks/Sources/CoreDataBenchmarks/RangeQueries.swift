import CRawBaseline
import CoreData

/// Many small fetches by an indexed attribute: those in a range of its values, sorted by it, at most twenty each.
enum RangeQueries {
    private static let rowsOfQuery = 20
    private static let width: Int64 = 2_000

    static let all = [
        Benchmark(
            "RQ", "# range queries by an indexed key, \(rowsOfQuery) objects each, sorted", size: 1_000, bar: 2.5,
            stretch: 1.8
        ) { count, bench in
            let store = try bench.items(count * 200, indexing: ["a0"])
            let bounds = bounds(count, store)
            let expected = try rawFetch(store, bounds)
            return Sides(
                ours: { try fetch(store, bounds, expected.sum) },
                raw: { Sample(seconds: try rawFetch(store, bounds).seconds) })
        }
    ]

    /// The least value of each query, that of a row of the store.
    private static func bounds(_ count: Int, _ store: ItemStore) -> [Int64] {
        (0..<count).map { Int64(1 + $0 * 7_919 % store.count) * 31 % 1_000_003 }
    }

    private static func fetch(_ store: ItemStore, _ bounds: [Int64], _ expected: UInt64) throws -> Sample {
        let container = try store.open()
        defer { try? Workbench.close(container) }
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.sortDescriptors = [NSSortDescriptor(key: "a0", ascending: true)]
            request.fetchLimit = rowsOfQuery
            request.returnsObjectsAsFaults = false
            let start = raw_now()
            var sum: UInt64 = 0
            for bound in bounds {
                request.predicate = NSPredicate(format: "a0 >= %lld AND a0 < %lld", bound, bound + width)
                for item in try context.fetch(request) { sum &+= UInt64(item.a0) }
            }
            let seconds = raw_now() - start
            guard sum == expected else { throw Failure("other objects are in the ranges") }
            return Sample(seconds: seconds)
        }
    }

    private static func rawFetch(_ store: ItemStore, _ bounds: [Int64]) throws -> raw_result {
        let result = raw_fetch_ranges(store.url.path, bounds, Int64(bounds.count), width, Int64(rowsOfQuery))
        guard result.error == 0, result.rows >= bounds.count else { throw Failure("the raw queries give \(result)") }
        return result
    }
}
