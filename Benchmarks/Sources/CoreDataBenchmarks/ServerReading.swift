import CRawBaseline
import CRawPostgres
import CoreData

/// A fetch of objects with ten integers from a server, beside the faster one of a whole result and of COPY in C.
enum ServerReading {
    static let all = [
        Benchmark("QF", size: 200_000) { count, session in
            try ServerStore.rows("QF") {
                let store = try ServerStore(session.workbench, count: count)
                defer { store.remove() }
                let sum = (1...UInt64(count)).reduce(UInt64(0)) { sum, row in
                    (0..<10).reduce(sum) { $0 &+ (row * 31 + $1 * 7) % 1_000_003 }
                }
                let sides = Sides(
                    ours: { try fetch(store, count, sum) }, raw: { try rawFetch(store, count, sum) })
                let measurement = try Measurement(of: sides, runs: session.runs)
                return [
                    Row(
                        name: "QF  fetch \(count) objects of 10 integers from a server", value: measurement.ratio,
                        bar: 1.8, measurement: measurement)
                ]
            }
        }
    ]

    private static func fetch(_ store: ServerStore, _ count: Int, _ sum: UInt64) throws -> Sample {
        let container = try store.open()
        defer { try? Workbench.close(container) }
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            let start = raw_now()
            let objects = try context.fetch(request)
            let seconds = raw_now() - start
            let found = objects.reduce(UInt64(0)) { sum, object in
                let first = object.a0 &+ object.a1 &+ object.a2 &+ object.a3 &+ object.a4
                let last = object.a5 &+ object.a6 &+ object.a7 &+ object.a8 &+ object.a9
                return sum &+ UInt64(bitPattern: first &+ last)
            }
            guard objects.count == count, found == sum, objects.allSatisfy({ !$0.isFault }) else {
                throw Failure("the fetch gave \(objects.count) objects with other values")
            }
            return Sample(seconds: seconds)
        }
    }

    private static func rawFetch(_ store: ServerStore, _ count: Int, _ sum: UInt64) throws -> Sample {
        let results = [raw_server_whole, raw_server_copy].map { raw_server_fetch_items(store.place, store.schema, $0) }
        let samples = try results.map { result in
            let sample = try ServerStore.require(result)
            guard result.rows == count, result.sum == sum else { throw Failure("the raw fetch saw wrong values") }
            return sample
        }
        return Sample(seconds: samples.map(\.seconds).min() ?? 0)
    }
}
