import CRawBaseline
import CoreData

/// Workloads B, C and D: objects of ten integers created, changed in one attribute, and deleted, each in one save.
struct IntegerSaving {
    let insertions: Int
    let changes: Int

    /// Creating the objects, setting their attributes and saving them are timed; the raw side inserts the same rows.
    var insertion: Workload {
        Workload(
            name: "B  create and save \(insertions) objects of 10 integers", bar: 6,
            ours: { try write(stored: 0, Self.insert(insertions), checkedCount: insertions) },
            raw: { try raw(stored: 0) { raw_insert_items($0, Int64(insertions)) } })
    }

    /// The objects have been fetched; setting the attribute and saving are timed.
    var update: Workload {
        Workload(
            name: "C  change one attribute of \(changes) objects and save", bar: 6,
            ours: { try write(stored: changes, Self.update, checkedCount: changes) },
            raw: { try raw(stored: changes) { raw_update_items($0, Int64(changes)) } })
    }

    /// The objects have been fetched; deleting and saving are timed.
    var deletion: Workload {
        Workload(
            name: "D  delete \(changes) objects and save", bar: 6,
            ours: { try write(stored: changes, Self.delete, checkedCount: 0) },
            raw: { try raw(stored: changes) { raw_delete_items($0, Int64(changes)) } })
    }

    private typealias Change = (NSManagedObjectContext, [Item]) throws -> Void

    /// Each run has a store of its own, made before the clock starts.
    private func write(stored: Int, _ change: Change, checkedCount: Int) throws -> Sample {
        let store = try ItemStore(count: stored)
        defer { store.remove() }
        let container = try store.open()
        defer { try? ItemStore.close(container) }
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            let items = stored == 0 ? [] : try context.fetch(request)
            let start = raw_now()
            try change(context, items)
            try context.save()
            return raw_now() - start
        }
        let rows = try container.newBackgroundContext().count(for: NSFetchRequest<Item>(entityName: "Item"))
        guard rows == checkedCount else { throw Failure("the store has \(rows) rows after the save") }
        return Sample(seconds: seconds, bytesPerObject: 0)
    }

    private func raw(stored: Int, _ write: (String) -> raw_writing) throws -> Sample {
        let store = try ItemStore(count: stored)
        defer { store.remove() }
        let result = write(store.url.path)
        guard result.error == 0 else { throw Failure("the raw save failed with SQLite's result code \(result.error)") }
        return Sample(seconds: result.seconds, bytesPerObject: 0)
    }

    private static func insert(_ count: Int) -> Change {
        { context, _ in
            for row in 1...Int64(count) {
                let item = Item(context: context)
                for attribute in 0..<10 { item[attribute] = (row * 31 + Int64(attribute) * 7) % 1_000_003 }
            }
        }
    }

    private static func update(_ context: NSManagedObjectContext, _ items: [Item]) {
        for (index, item) in items.enumerated() { item[0] = Int64(index) * 17 }
    }

    private static func delete(_ context: NSManagedObjectContext, _ items: [Item]) {
        for item in items { context.delete(item) }
    }
}
