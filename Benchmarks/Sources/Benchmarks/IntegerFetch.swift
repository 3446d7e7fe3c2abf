import CRawBaseline
import CoreData

/// Workload A: every object of a store with ten integer attributes, as registered objects with their values.
struct IntegerFetch {
    let store: ItemStore

    var workload: Workload {
        Workload(
            name: "A  fetch \(store.count) objects of 10 integers",
            bar: 2.2,
            ours: { try fetchObjects() },
            raw: { try fetchStructures() }
        )
    }

    /// Only the fetch is timed: the store is open, the context new and the row cache empty when it begins.
    private func fetchObjects() throws -> Sample {
        let container = try store.open()
        let context = container.newBackgroundContext()
        let count = store.count
        return try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            let bytes = raw_allocated_bytes()
            let start = raw_now()
            let objects = try context.fetch(request)
            let seconds = raw_now() - start
            let grown = raw_allocated_bytes() - bytes
            try Self.check(objects, of: context, count: count)
            return Sample(seconds: seconds, bytesPerObject: Double(grown) / Double(count))
        }
    }

    private func fetchStructures() throws -> Sample {
        let result = raw_fetch_items(store.url.path)
        guard result.error == 0 else { throw Failure("the raw fetch failed with SQLite's result code \(result.error)") }
        guard result.rows == store.count else { throw Failure("the raw fetch saw \(result.rows) rows") }
        guard result.sum == Self.expectedSum(count: store.count) else {
            throw Failure("the raw fetch saw wrong values")
        }
        return Sample(seconds: result.seconds, bytesPerObject: Double(result.bytes) / Double(result.rows))
    }

    /// A fast fetch of something else would be worth nothing: every object is full, registered and has its values.
    private static func check(_ objects: [NSManagedObject], of context: NSManagedObjectContext, count: Int) throws {
        guard objects.count == count else { throw Failure("the fetch returned \(objects.count) objects") }
        var sum: UInt64 = 0
        for object in objects {
            guard !object.isFault else { throw Failure("an object is a fault") }
            guard context.registeredObject(for: object.objectID) === object else {
                throw Failure("an object is not registered")
            }
            for name in ItemStore.attributeNames {
                guard let number = object.value(forKey: name) as? NSNumber else {
                    throw Failure("\(name) has no value")
                }
                sum &+= number.uint64Value
            }
        }
        guard sum == expectedSum(count: count) else { throw Failure("the objects have wrong values") }
    }

    /// The sum of the values that `raw_fill_items` writes.
    private static func expectedSum(count: Int) -> UInt64 {
        var sum: UInt64 = 0
        for row in 1...UInt64(count) {
            for attribute in 0..<UInt64(ItemStore.attributeNames.count) {
                sum &+= (row * 31 + attribute * 7) % 1_000_003
            }
        }
        return sum
    }
}
