import CRawBaseline
import CoreData

/// Opening a large store and reading one object of it, beside SQLite that opens the file and reads the row.
///
/// The program's model is at hand and the file is in the system's cache, as when an application is started again.
enum ColdStart {
    static let all = [
        Benchmark("CS", "open a store of # objects and read one", size: 1_000_000, bar: 8, stretch: 1.2) {
            count, bench in
            let store = try bench.items(count)
            return Sides(ours: { try first(of: store) }, raw: { try rawFirst(of: store) })
        }
    ]

    private static func first(of store: ItemStore) throws -> Sample {
        let start = raw_now()
        let container = try store.open()
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.fetchLimit = 1
            guard let item = try context.fetch(request).first, item.a0 >= 0 else { throw Failure("no object was read") }
        }
        let seconds = raw_now() - start
        try Workbench.close(container)
        return Sample(seconds: seconds)
    }

    private static func rawFirst(of store: ItemStore) throws -> Sample {
        var buffer = [CChar](repeating: 0, count: 100)
        let start = raw_now()
        let result = raw_read_text(store.url.path, "SELECT * FROM ZITEM LIMIT 1", &buffer, Int32(buffer.count))
        guard result == 0 else { throw Failure("SQLite's result code is \(result)") }
        return Sample(seconds: raw_now() - start)
    }
}
