import CRawBaseline
import CoreData

/// Workload U: objects inserted under a unique constraint, batch after batch, by a policy that makes upserts of them.
///
/// One insertion in ten has the key of an object that was saved before. The store grows a hundredfold meanwhile; what an
/// insertion costs must not grow with it.
struct UniqueInserts {
    let count: Int

    private static let batch = 10_000
    /// How much dearer the last tenth may be than the first.
    private static let growthBar = 1.3
    /// How much longer all may take than the same upserts in C.
    private static let bar = 8.0

    /// How the codes of one row after another lie.
    private enum Order: Int64, CaseIterable {
        /// As numbers that are given out one after another.
        case ascending = 1
        /// As hashes: SQLite itself slows down once the index is larger than its cache.
        case scattered = 2_654_435_761
    }

    /// One run of each side and order, as lines to print.
    func lines() throws -> [String] {
        try Order.allCases.flatMap { order in
            let ours = try run(order)
            let raw = try rawSeconds(order)
            let (whole, rawWhole) = (ours.reduce(0, +), raw.reduce(0, +))
            return [
                "U  insert \(count) objects under a unique constraint, \(Self.batch) a save, one in ten an upsert; "
                    + "\(order) codes",
                line("ours \(text(whole)) s, raw \(text(rawWhole)) s: ratio", whole / rawWhole, bar: Self.bar),
                line("the last tenth by the first: raw \(text(growth(raw))), ours", growth(ours), bar: Self.growthBar),
            ]
        }
    }

    private func growth(_ seconds: [Double]) -> Double {
        let tenth = max(1, seconds.count / 10)
        return seconds.suffix(tenth).reduce(0, +) / seconds.prefix(tenth).reduce(0, +)
    }

    private func line(_ name: String, _ ratio: Double, bar: Double) -> String {
        "   \(name) \(text(ratio)), bar ≤ \(bar)" + (ratio > bar ? " missed" : "")
    }

    private func text(_ number: Double) -> String { String(format: "%.2f", number) }

    /// The seconds of each batch.
    private func run(_ order: Order) throws -> [Double] {
        let store = try EntryStore()
        defer { store.remove() }
        let container = try store.open()
        defer { try? ItemStore.close(container) }
        let seconds = try stride(from: 0, to: count, by: Self.batch).map { start in
            let clock = raw_now()
            try Self.insert(start..<min(count, start + Self.batch), order, container)
            return raw_now() - clock
        }
        let rows = try container.newBackgroundContext().count(for: NSFetchRequest<Entry>(entityName: "Entry"))
        guard rows == (0..<count).reduce(0, { $0 + (Self.isRepeated($1) ? 0 : 1) }) else {
            throw Failure("the store has \(rows) rows after the insertions")
        }
        return seconds
    }

    /// The seconds of each batch in C.
    private func rawSeconds(_ order: Order) throws -> [Double] {
        let store = try EntryStore()
        defer { store.remove() }
        var seconds = [Double](repeating: 0, count: (count + Self.batch - 1) / Self.batch)
        let result = raw_upsert_entries(store.url.path, Int64(count), Int64(Self.batch), order.rawValue, &seconds)
        guard result.error == 0 else { throw Failure("the raw upserts failed with SQLite's code \(result.error)") }
        return seconds
    }

    private static func insert(_ rows: Range<Int>, _ order: Order, _ container: NSPersistentContainer) throws {
        let context = container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.performAndWait {
            for row in rows {
                let entry = Entry(context: context)
                entry.code = code(of: row, order)
                entry.value = Int64(row)
            }
            try context.save()
        }
    }

    /// Whether a row has the code of an earlier one: from the second batch on every tenth.
    private static func isRepeated(_ row: Int) -> Bool { row >= batch && row % 10 == 9 }

    /// The code of a row; `raw_upsert_entries` has the same.
    private static func code(of row: Int, _ order: Order) -> Int64 {
        // Each repeats another row: 9 and 19 of ten thousand are 0 and 1 of five thousand.
        let row = isRepeated(row) ? row / 20 * 10 + row / 10 % 2 : row
        return Int64(row) &* order.rawValue % 4_294_967_296
    }
}

/// An object with a unique code.
final class Entry: NSManagedObject {
    static let table = PropertyTable([.stored("code"), .stored("value")])

    override class var propertyTable: PropertyTable { table }

    var code: Int64 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var value: Int64 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
}

/// An empty store of entries, made anew in a temporary folder.
struct EntryStore {
    let url: URL

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("entries-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Entries.sqlite")
        try ItemStore.close(try open())
    }

    func open() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Entries", managedObjectModel: Self.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    func remove() { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    private static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Entry"
        entity.managedObjectClassName = "Benchmarks.Entry"
        entity.properties = ["code", "value"].map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .integer64AttributeType
            attribute.isOptional = true
            return attribute
        }
        entity.uniquenessConstraints = [["code"]]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }
}
