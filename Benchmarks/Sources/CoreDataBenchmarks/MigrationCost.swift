import CRawBaseline
import CoreData

/// Stores led to another version of their model when they are opened.
enum MigrationCost {
    static let all = [
        Benchmark("ML", "add an attribute with a default value to # rows", size: 1_000_000, bar: 2, runs: 3) {
            count, bench in
            Sides(ours: { try addAttribute(bench, count) }, raw: { try addColumn(bench, count) })
        },
        Benchmark(
            "MM", "migrate # objects by a mapping model, by reading and making them anew", size: 200_000, bar: 2.5,
            runs: 3
        ) { count, bench in
            Sides(ours: { try map(bench, count) }, raw: { try copy(bench, count) })
        },
    ]

    /// An entity mapping with an expression for each attribute.
    private static func map(_ bench: Workbench, _ count: Int) throws -> Sample {
        let store = try bench.items(count)
        let target = bench.place("Mapped")
        defer { Workbench.removeStore(at: target) }
        let names = ItemStore.attributeNames + ["extra"]
        let old = Workbench.model("Item", ItemStore.attributeNames.map { ($0, .integer64AttributeType) })
        let new = Workbench.model("Item", names.map { ($0, .integer64AttributeType) })
        let mapping = NSEntityMapping()
        mapping.name = "ItemToItem"
        mapping.mappingType = .transformEntityMappingType
        (mapping.sourceEntityName, mapping.destinationEntityName) = ("Item", "Item")
        mapping.attributeMappings = names.map { name in
            let property = NSPropertyMapping()
            property.name = name
            property.valueExpression =
                name == "extra" ? NSExpression(forConstantValue: 7) : NSExpression(format: "$source.\(name)")
            return property
        }
        let mappings = NSMappingModel()
        mappings.entityMappings = [mapping]
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        let start = raw_now()
        try manager.migrateStore(from: store.url, type: .sqlite, mapping: mappings, to: target, type: .sqlite)
        return Sample(seconds: raw_now() - start)
    }

    /// The same without a migration manager: batches of objects read in one context and made in another.
    private static func copy(_ bench: Workbench, _ count: Int) throws -> Sample {
        let store = try bench.items(count)
        let target = bench.place("Copied")
        defer { Workbench.removeStore(at: target) }
        let names = ItemStore.attributeNames + ["extra"]
        let start = raw_now()
        let source = try store.open()
        let destination = try Workbench.open(
            target, Workbench.model("Item", names.map { ($0, .integer64AttributeType) }))
        defer {
            try? Workbench.close(source)
            try? Workbench.close(destination)
        }
        let (reading, writing) = (source.newBackgroundContext(), destination.newBackgroundContext())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.returnsObjectsAsFaults = false
        request.fetchLimit = 1_000
        request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
        for offset in stride(from: 0, to: count, by: 1_000) {
            request.fetchOffset = offset
            for item in try reading.fetch(request) {
                let made = NSEntityDescription.insertNewObject(forEntityName: "Item", into: writing)
                for name in ItemStore.attributeNames { made.setValue(item.value(forKey: name), forKey: name) }
                made.setValue(7, forKey: "extra")
            }
            try writing.save()
            writing.reset()
            reading.reset()
        }
        return Sample(seconds: raw_now() - start)
    }

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
