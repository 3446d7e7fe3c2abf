import CRawBaseline
import CoreData

/// Objects inserted under a unique constraint, batch after batch, by a policy that makes upserts of them.
///
/// One insertion in ten has the key of an object that was saved before. The store grows a hundredfold meanwhile; what an
/// insertion costs must not grow with it. Of each batch the best of three runs counts: other work on the machine slows some
/// of them down, and would look like growth.
struct UniqueInserts {
    private static let batch = 10_000

    static let all = [
        Benchmark("U", size: 1_000_000) { count, session in
            try Order.allCases.flatMap {
                try UniqueInserts(count: count, bench: session.workbench, runs: session.runs).rows($0)
            }
        }
    ]

    let count: Int
    let bench: Workbench
    let runs: Int

    /// How the codes of one row after another lie.
    private enum Order: Int64, CaseIterable {
        /// As numbers that are given out one after another.
        case ascending = 1
        /// As hashes: SQLite itself slows down once the index is larger than its cache.
        case scattered = 2_654_435_761
    }

    private func rows(_ order: Order) throws -> [Row] {
        let ours = try best { try run(order) }
        let raw = try best { try rawSeconds(order) }
        let whole = Measurement(ours: Sample(seconds: ours.reduce(0, +)), raw: Sample(seconds: raw.reduce(0, +)))
        let title = "\(count) objects under a unique constraint, \(order) codes"
        return [
            Row(name: "U  \(title)", value: whole.ratio, bar: 8, stretch: 5, measurement: whole),
            Row(
                name: "U growth  the last tenth by the first (in C \(String(format: "%.2f", growth(raw)))), \(order)",
                value: growth(ours), bar: 1.3),
        ]
    }

    /// What each batch took when nothing disturbed it.
    private func best(_ run: () throws -> [Double]) throws -> [Double] {
        try (0..<min(3, runs) - 1).reduce(into: run()) { best, _ in best = zip(best, try run()).map(min) }
    }

    private func growth(_ seconds: [Double]) -> Double {
        let tenth = max(1, seconds.count / 10)
        let (first, last) = (Array(seconds.prefix(tenth)), Array(seconds.suffix(tenth)))
        return Measurement.median(of: last) / Measurement.median(of: first)
    }

    /// The seconds of each batch.
    private func run(_ order: Order) throws -> [Double] {
        let store = try EntryStore(at: bench.place("Entries"))
        defer { store.remove() }
        let container = try store.open()
        defer { try? Workbench.close(container) }
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
        let store = try EntryStore(at: bench.place("Entries"))
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

/// An empty store of entries.
struct EntryStore {
    let url: URL

    init(at url: URL) throws {
        self.url = url
        try Workbench.close(try open())
    }

    func open() throws -> NSPersistentContainer {
        let attributes = [("code", NSAttributeType.integer64AttributeType), ("value", .integer64AttributeType)]
        return try Workbench.open(url, Workbench.model("Entry", attributes, unique: [["code"]]))
    }

    func remove() { Workbench.removeStore(at: url) }
}
