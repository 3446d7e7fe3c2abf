import CRawBaseline
import CoreData

/// The most memory that a process takes which fetches or saves many objects, beside one that holds C's rows.
///
/// Each side is a process of its own, with everything that the program loads; the objects stay until it ends.
enum PeakMemory {
    static let all = [
        Benchmark("A peak", size: 1_000_000) { count, session in
            let file = try session.workbench.items(count).url
            return [
                try row(
                    "A peak", "fetches \(count) objects", ours: ChildWork.fetch.figure(file, count: count),
                    raw: ChildWork.rawFetch.figure(file, count: count))
            ]
        },
        Benchmark("B peak", size: 1_000_000) { count, session in
            [
                try row(
                    "B peak", "creates \(count) objects and saves them",
                    ours: figure(.save, session.workbench, count), raw: figure(.rawSave, session.workbench, count))
            ]
        },
    ]

    /// The bar is three tenths above C's peak, and 200 MiB.
    private static func row(_ code: String, _ work: String, ours: Double, raw: Double) throws -> Row {
        let (ours, raw) = (ours / 1_048_576, raw / 1_048_576)
        return Row(
            name: "\(code)  of a process that \(work), MiB (in C \(Int(raw.rounded())))", value: ours,
            bar: (raw * 1.3 + 200).rounded())
    }

    /// The figure of a work on an empty store, which is removed afterwards.
    private static func figure(_ work: ChildWork, _ bench: Workbench, _ count: Int) throws -> Double {
        let store = try ItemStore(count: 0, at: bench.place("Peak"))
        defer { store.remove() }
        return try work.figure(store.url, count: count)
    }

    // MARK: In the process of its own

    static func fetch(_ file: URL, _ count: Int) throws {
        let context = try ItemStore(stored: count, at: file).open().newBackgroundContext()
        try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            let found = try context.fetch(request)
            guard found.count == count, found.allSatisfy({ !$0.isFault }) else { throw Failure("objects are missing") }
        }
    }

    static func rawFetch(_ file: URL, _ count: Int) throws {
        let result = raw_fetch_items(file.path)
        guard result.error == 0, result.rows == count else { throw Failure("the raw fetch gives \(result)") }
    }

    static func save(_ file: URL, _ count: Int) throws {
        let container = try ItemStore(stored: 0, at: file).open()
        let context = container.newBackgroundContext()
        try context.performAndWait {
            try IntegerSaving.insert(count)(context, [])
            try context.save()
        }
        let rows = try container.newBackgroundContext().count(for: NSFetchRequest<Item>(entityName: "Item"))
        guard rows == count else { throw Failure("the store has \(rows) rows after the save") }
    }

    static func rawSave(_ file: URL, _ count: Int) throws {
        let result = raw_insert_held_items(file.path, Int64(count))
        guard result.error == 0 else { throw Failure("the raw save failed with SQLite's result code \(result.error)") }
    }
}
