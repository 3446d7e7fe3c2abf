import CRawBaseline
import CoreData

/// Fetches of objects with ten integer attributes: with their values, with every value read, and without values.
///
/// Only the fetch and the reading are timed: the store is open, the context new and the row cache empty when they begin.
enum IntegerFetch {
    static let all = [
        Benchmark("A", "fetch # objects of 10 integers", size: 200_000, bar: 1.9, stretch: 1.6) {
            count, bench in
            let store = try bench.items(count)
            return Sides(ours: { try fetch(store, .values) }, raw: { try rawFetch(store) })
        },
        Benchmark("A bytes", size: 200_000) { count, session in
            let store = try session.workbench.items(count)
            // A value is eight bytes in C's structures too.
            let packed = Double(ItemStore.attributeNames.count * 8)
            let bytes = try (0..<3).map { _ in try fetch(store, .values).bytesPerObject }
            return [
                Row(
                    name: "A bytes  of an object beyond its values, \(count) objects",
                    value: Measurement.median(of: bytes) - packed, bar: 128, stretch: 112)
            ]
        },
        Benchmark(
            "AR", "fetch # objects of 10 integers and read each by its accessor", size: 200_000, bar: 2.3,
            stretch: 1.9
        ) { count, bench in
            let store = try bench.items(count)
            return Sides(ours: { try fetch(store, .read) }, raw: { try rawFetch(store) })
        },
        Benchmark(
            "AF", "fetch # objects as faults without values, beside a scan of keys", size: 200_000, bar: 2.5,
            stretch: 1.8
        ) { count, bench in
            let store = try bench.items(count)
            return Sides(ours: { try fetch(store, .faults) }, raw: { try rawScan(store) })
        },
    ]

    private enum Wanted { case values, read, faults }

    private static func fetch(_ store: ItemStore, _ wanted: Wanted) throws -> Sample {
        let container = try store.open()
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.returnsObjectsAsFaults = wanted == .faults
            request.includesPropertyValues = wanted != .faults
            let bytes = raw_allocated_bytes()
            let start = raw_now()
            let objects = try context.fetch(request)
            let sum = wanted == .read ? Self.sum(objects) : 0
            let seconds = raw_now() - start
            let grown = raw_allocated_bytes() - bytes
            try check(objects, of: context, store, wanted)
            guard wanted != .read || sum == store.sum(ofFirst: 10) else { throw Failure("other values were read") }
            return Sample(seconds: seconds, bytesPerObject: Double(grown) / Double(store.count))
        }
    }

    /// Ten accessors an object, as a program calls them.
    private static func sum(_ objects: [Item]) -> UInt64 {
        var sum: UInt64 = 0
        for object in objects {
            let first = object.a0 &+ object.a1 &+ object.a2 &+ object.a3 &+ object.a4
            let last = object.a5 &+ object.a6 &+ object.a7 &+ object.a8 &+ object.a9
            sum &+= UInt64(bitPattern: first &+ last)
        }
        return sum
    }

    private static func rawFetch(_ store: ItemStore) throws -> Sample {
        let result = raw_fetch_items(store.url.path)
        guard result.error == 0 else { throw Failure("the raw fetch failed with SQLite's result code \(result.error)") }
        guard result.rows == store.count, result.sum == store.sum(ofFirst: 10) else {
            throw Failure("the raw fetch saw wrong values")
        }
        return Sample(seconds: result.seconds, bytesPerObject: Double(result.bytes) / Double(result.rows))
    }

    private static func rawScan(_ store: ItemStore) throws -> Sample {
        let result = raw_scan_keys(store.url.path, "SELECT Z_PK FROM ZITEM")
        guard result.error == 0, result.rows == store.count else { throw Failure("the raw scan gives \(result)") }
        return Sample(seconds: result.seconds, bytesPerObject: Double(result.bytes) / Double(result.rows))
    }

    /// A fast fetch of something else would be worth nothing: every object is registered and, if wanted, full.
    private static func check(
        _ objects: [Item], of context: NSManagedObjectContext, _ store: ItemStore, _ wanted: Wanted
    ) throws {
        guard objects.count == store.count else { throw Failure("the fetch returned \(objects.count) objects") }
        for object in objects {
            guard object.isFault == (wanted == .faults) else { throw Failure("an object is a fault, or is none") }
            guard context.registeredObject(for: object.objectID) === object else {
                throw Failure("an object is not registered")
            }
        }
        // Of faults a few are read: each fires.
        let read = wanted == .faults ? Array(objects.prefix(100)) : objects
        guard sum(read) == store.sum(ofFirst: 10, rows: read.count) else {
            throw Failure("the objects have wrong values")
        }
    }
}
