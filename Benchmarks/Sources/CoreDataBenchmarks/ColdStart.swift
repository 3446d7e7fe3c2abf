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
            return Sides(
                ours: {
                    let start = raw_now()
                    return try first(of: store.open(), since: start) { (item: Item) in item.a0 }
                }, raw: { try rawFirst(of: store.url, "ZITEM") })
        },
        Benchmark("CG", "open a store of # objects of 1,000 bytes and read one", size: 1_000_000, bar: 1.2) {
            count, bench in
            let url = try FirstPage.store(bench, count)
            return Sides(
                ours: {
                    let start = raw_now()
                    return try first(of: Workbench.open(url, FirstPage.model), since: start) { (sheet: Sheet) in
                        sheet.number
                    }
                }, raw: { try rawFirst(of: url, "ZSHEET") })
        },
    ]

    /// Reads the first object of a store, and closes it; the time goes from before the store was opened.
    private static func first<Kind: NSManagedObject>(
        of container: NSPersistentContainer, since start: Double, _ read: (Kind) -> Int64
    ) throws -> Sample {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let request = NSFetchRequest<Kind>(entityName: "\(Kind.self)")
            request.fetchLimit = 1
            guard let object = try context.fetch(request).first, read(object) >= 0 else {
                throw Failure("no object was read")
            }
        }
        let seconds = raw_now() - start
        try Workbench.close(container)
        return Sample(seconds: seconds)
    }

    private static func rawFirst(of url: URL, _ table: String) throws -> Sample {
        var buffer = [CChar](repeating: 0, count: 100)
        let start = raw_now()
        let result = raw_read_text(url.path, "SELECT * FROM \(table) LIMIT 1", &buffer, Int32(buffer.count))
        guard result == 0 else { throw Failure("SQLite's result code is \(result)") }
        return Sample(seconds: raw_now() - start)
    }
}
