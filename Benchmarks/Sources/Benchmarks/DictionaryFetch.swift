import CRawBaseline
import CoreData

/// Workload V: three of the ten attributes of every object, as dictionaries.
struct DictionaryFetch {
    let store: ItemStore

    private static let keys = Array(ItemStore.attributeNames.prefix(3))

    var workload: Workload {
        Workload(
            name: "V  dictionary results, \(store.count) × 3 keys",
            bar: 2,
            ours: { try fetchDictionaries() },
            raw: { try fetchStructures() }
        )
    }

    /// Only the fetch is timed: the store is open and the context new when it begins.
    private func fetchDictionaries() throws -> Sample {
        let container = try store.open()
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Item")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = Self.keys
            let bytes = raw_allocated_bytes()
            let start = raw_now()
            let dictionaries = try context.fetch(request)
            let seconds = raw_now() - start
            let grown = raw_allocated_bytes() - bytes
            try check(dictionaries, of: context)
            return Sample(seconds: seconds, bytesPerObject: Double(grown) / Double(store.count))
        }
    }

    private func fetchStructures() throws -> Sample {
        let result = raw_fetch_values(store.url.path)
        guard result.error == 0 else { throw Failure("the raw fetch failed with SQLite's result code \(result.error)") }
        guard result.rows == store.count, result.sum == expectedSum else {
            throw Failure("the raw fetch saw wrong values")
        }
        return Sample(seconds: result.seconds, bytesPerObject: Double(result.bytes) / Double(result.rows))
    }

    private func check(_ dictionaries: [NSDictionary], of context: NSManagedObjectContext) throws {
        guard dictionaries.count == store.count else { throw Failure("\(dictionaries.count) dictionaries came") }
        guard context.registeredObjects.isEmpty else { throw Failure("objects were made") }
        var sum: UInt64 = 0
        for dictionary in dictionaries {
            for key in Self.keys {
                guard let number = dictionary[key] as? NSNumber else { throw Failure("\(key) has no value") }
                sum &+= number.uint64Value
            }
        }
        guard sum == expectedSum else { throw Failure("the dictionaries have wrong values") }
    }

    private var expectedSum: UInt64 {
        var sum: UInt64 = 0
        for row in 1...UInt64(store.count) {
            for attribute in 0..<UInt64(Self.keys.count) { sum &+= (row * 31 + attribute * 7) % 1_000_003 }
        }
        return sum
    }
}
