import CRawBaseline
import CoreData

/// What needs no objects: three of the ten attributes of every object as dictionaries, and how many match a condition.
enum DictionaryFetch {
    static let all = [
        Benchmark("V", "dictionary results, # × 3 keys", size: 200_000, bar: 2, stretch: 1.5) { count, bench in
            let store = try bench.items(count)
            return Sides(ours: { try fetch(store) }, raw: { try rawFetch(store) })
        },
        Benchmark(
            "N", "count by a predicate over # rows without an index", size: 200_000, bar: 1.2, stretch: 1.05
        ) {
            count, bench in
            let store = try bench.items(count)
            return Sides(ours: { try matching(store) }, raw: { try rawCount(store) })
        },
    ]

    private static let keys = Array(ItemStore.attributeNames.prefix(3))

    /// Only the fetch is timed: the store is open and the context new when it begins.
    private static func fetch(_ store: ItemStore) throws -> Sample {
        let context = try store.open().newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Item")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = keys
            let bytes = raw_allocated_bytes()
            let start = raw_now()
            let dictionaries = try context.fetch(request)
            let seconds = raw_now() - start
            let grown = raw_allocated_bytes() - bytes
            guard dictionaries.count == store.count, context.registeredObjects.isEmpty,
                sum(dictionaries) == store.sum(ofFirst: 3)
            else { throw Failure("the dictionaries are wrong") }
            return Sample(seconds: seconds, bytesPerObject: Double(grown) / Double(store.count))
        }
    }

    private static func sum(_ dictionaries: [NSDictionary]) -> UInt64 {
        dictionaries.reduce(into: 0) { sum, dictionary in
            for key in keys { sum &+= (dictionary[key] as? NSNumber)?.uint64Value ?? 1 << 60 }
        }
    }

    private static func rawFetch(_ store: ItemStore) throws -> Sample {
        let result = raw_fetch_values(store.url.path)
        guard result.error == 0, result.rows == store.count, result.sum == store.sum(ofFirst: 3) else {
            throw Failure("the raw fetch saw wrong values")
        }
        return Sample(seconds: result.seconds, bytesPerObject: Double(result.bytes) / Double(result.rows))
    }

    /// Two of the attributes, of which no index knows anything.
    private static func matching(_ store: ItemStore) throws -> Sample {
        let context = try store.open().newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.predicate = NSPredicate(format: "a3 > %d AND a7 < %d", 250_000, 900_000)
            let start = raw_now()
            let found = try context.count(for: request)
            let seconds = raw_now() - start
            guard found == (try rawResult(store).sum) else { throw Failure("\(found) objects were counted") }
            return Sample(seconds: seconds)
        }
    }

    private static func rawCount(_ store: ItemStore) throws -> Sample { Sample(seconds: try rawResult(store).seconds) }

    private static func rawResult(_ store: ItemStore) throws -> (seconds: Double, sum: Int) {
        let result = raw_scan_keys(
            store.url.path, "SELECT COUNT(*) FROM ZITEM WHERE ZA3 > 250000 AND ZA7 < 900000")
        guard result.error == 0, result.rows == 1 else { throw Failure("the raw count gives \(result)") }
        return (result.seconds, Int(result.sum))
    }
}
