import CRawBaseline
import CoreData

/// What a list needs first: a page of a large store by an indexed attribute, from opening the store on.
struct FirstPage {
    let store: ItemStore
    /// The most that it may take, in milliseconds.
    static let bar = 20.0

    /// The store with the index that the page is sorted by.
    static func store(count: Int) throws -> ItemStore { try ItemStore(count: count, indexing: ["a0"]) }

    /// The median as a line.
    func line(runs: Int) throws -> String {
        _ = try seconds()
        let times = try (0..<runs).map { _ in try seconds() }.sorted()
        let milliseconds = times[times.count / 2] * 1_000
        return "First 20 of \(store.count) rows by an indexed attribute, from opening the store: "
            + String(format: "%.1f ms", milliseconds)
            + " (≤ \(Int(Self.bar))\(milliseconds > Self.bar ? " missed" : ""))"
    }

    private func seconds() throws -> Double {
        let start = raw_now()
        let container = try store.open()
        let context = container.newBackgroundContext()
        let values = try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.sortDescriptors = [NSSortDescriptor(key: "a0", ascending: true)]
            request.fetchLimit = 20
            return try context.fetch(request).map { $0[0] }
        }
        let seconds = raw_now() - start
        try ItemStore.close(container)
        guard values.count == min(20, store.count), values == values.sorted() else {
            throw Failure("the first page is \(values)")
        }
        return seconds
    }
}
