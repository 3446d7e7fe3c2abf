import CRawBaseline
import CoreData

/// Rows inserted by a request, without objects of a context: from dictionaries that are there, and by a handler.
enum BatchInsertion {
    static let all = [
        Benchmark("ID", "batch insert # dictionaries", size: 1_000_000, bar: 2.5, stretch: 1.7, runs: 3) {
            count, bench in
            let objects = bench.meanwhile("dictionaries \(count)") { (0..<count).map(values) }
            return Sides(
                ours: { try insert(bench, count) { NSBatchInsertRequest(entityName: "Person", objects: objects) } },
                raw: { try raw(bench, count) })
        },
        Benchmark("IH", "batch insert # objects by a handler", size: 1_000_000, bar: 1.8, stretch: 1.3, runs: 3) {
            count, bench in
            Sides(
                ours: {
                    try insert(bench, count) {
                        var number = 0
                        return NSBatchInsertRequest(
                            entityName: "Person",
                            managedObjectHandler: { object in
                                guard number < count, let person = object as? Person else { return true }
                                person.age = Int32(number % 90)
                                person.height = 1 + Double(number % 1000) / 1000
                                person.name = "Name \(number)"
                                person.rank = Int64(number * 31 % 1009)
                                number += 1
                                return false
                            })
                    }
                }, raw: { try raw(bench, count) })
        },
    ]

    private static func values(_ number: Int) -> [String: Any] {
        [
            "age": number % 90, "height": 1 + Double(number % 1000) / 1000, "name": "Name \(number)",
            "rank": number * 31 % 1009,
        ]
    }

    private static func insert(
        _ bench: Workbench, _ count: Int, _ request: () -> NSBatchInsertRequest
    ) throws -> Sample {
        let url = bench.place("Inserted")
        let container = try Workbench.open(url, PeopleStore.model())
        defer {
            try? Workbench.close(container)
            Workbench.removeStore(at: url)
        }
        let context = container.newBackgroundContext()
        let request = request()
        request.resultType = .count
        let (seconds, inserted) = try context.performAndWait {
            let start = raw_now()
            let result = try context.execute(request) as? NSBatchInsertResult
            return (raw_now() - start, result?.result as? Int)
        }
        guard inserted == count else { throw Failure("\(inserted ?? -1) rows were inserted") }
        return Sample(seconds: seconds)
    }

    private static func raw(_ bench: Workbench, _ count: Int) throws -> Sample {
        let url = bench.place("RawInserted")
        try Workbench.close(try Workbench.open(url, PeopleStore.model()))
        defer { Workbench.removeStore(at: url) }
        let result = raw_insert_people(url.path, Int64(count))
        guard result.error == 0 else { throw Failure("the raw insertion failed with SQLite's code \(result.error)") }
        return Sample(seconds: result.seconds)
    }
}
