import CRawBaseline
import CoreData

/// Stores led to another version of their model when they are opened.
enum MigrationCost {
    static let all = [
        Benchmark("ML", "add an attribute with a default value to # rows", size: 1_000_000, bar: 2, runs: 3) {
            count, bench in
            Sides(ours: { try addAttribute(bench, count) }, raw: { try addColumn(bench, count) })
        }
    ]

    private static func addAttribute(_ bench: Workbench, _ count: Int) throws -> Sample {
        let store = try ItemStore(count: count, at: bench.place("Migrated"))
        defer { store.remove() }
        let names = ItemStore.attributeNames + ["extra"]
        let model = Workbench.model("Item", names.map { ($0, .integer64AttributeType) })
        model.entitiesByName["Item"]?.attributesByName["extra"]?.defaultValue = 7
        let start = raw_now()
        let container = try Workbench.open(store.url, model)
        let seconds = raw_now() - start
        defer { try? Workbench.close(container) }
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: "extra == 7")
        guard try container.viewContext.count(for: request) == count else { throw Failure("rows have no value") }
        return Sample(seconds: seconds)
    }

    private static func addColumn(_ bench: Workbench, _ count: Int) throws -> Sample {
        let store = try ItemStore(count: count, at: bench.place("Altered"))
        defer { store.remove() }
        let result = raw_add_column(store.url.path)
        guard result.error == 0 else { throw Failure("SQLite could not add a column: result code \(result.error)") }
        return Sample(seconds: result.seconds)
    }
}
