import CRawBaseline
import CoreData
import SwiftData

/// The work of managed objects done with classes that have `@Model`: the same entities, stores and values on both sides.
///
/// The ratios are to the time of managed objects, not of C.
enum ModelClasses {
    static let all = [
        work("SDI", "insert # and save", size: 50_000, stored: 0, insertModels, insertRecords),
        work("SDF", "fetch # and read ten values of each", size: 50_000, fetchModels, fetchRecords),
        work("SDU", "fetch #, change one value of each and save", size: 50_000, updateModels, updateRecords),
        work("SDD", "fetch #, delete them and save", size: 50_000, deleteModels, deleteRecords),
        work("SDR", "fetch # and read a value of the parent of each", size: 50_000, followModels, followRecords),
        Benchmark("SDP", size: 1_000_000) { count, session in [try readingRow(count, session)] },
    ]

    private static let bar = 1.2

    private static func work(
        _ code: String, _ title: String, size: Int, stored: Int? = nil,
        _ models: @escaping @Sendable (ModelContext, Int) throws -> Int64,
        _ records: @escaping @Sendable (NSManagedObjectContext, Int) throws -> Int64
    ) -> Benchmark {
        Benchmark(code, "models beside managed objects: \(title)", size: size, bar: bar) { count, bench in
            let store = try store(of: stored ?? count, bench)
            let before = stored ?? count
            return Sides(
                ours: { try timed(store, bench, before) { url in try withModels(url) { try models($0, count) } } },
                raw: { try timed(store, bench, before) { url in try withRecords(url) { try records($0, count) } } })
        }
    }

    // MARK: Stores

    /// A store with so many items, which runs take copies of.
    private static func store(of count: Int, _ bench: Workbench) throws -> URL {
        try bench.once("ModelClasses\(count)") {
            let url = bench.place("Models")
            let container = try container(url)
            let context = ModelContext(container)
            if count > 0 { _ = try insertModels(context, count) }
            for store in container.persistentStoreCoordinator.persistentStores {
                try container.persistentStoreCoordinator.remove(store)
            }
            return url
        }
    }

    private static func timed(
        _ store: URL, _ bench: Workbench, _ count: Int, _ body: (URL) throws -> (seconds: Double, sum: Int64)
    ) throws -> Sample {
        let copy = bench.place("Copy")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy.path + suffix)
        }
        defer { Workbench.removeStore(at: copy) }
        let (seconds, sum) = try body(copy)
        guard sum != 0 else { throw Failure("the work read or changed nothing") }
        return Sample(seconds: seconds)
    }

    private static func container(_ url: URL) throws -> ModelContainer {
        try ModelContainer(for: ModelItem.self, configurations: ModelConfiguration(url: url))
    }

    static func withModels<Value>(
        _ url: URL, _ body: (ModelContext) throws -> Value
    ) throws -> (seconds: Double, sum: Value) {
        let container = try container(url)
        defer {
            for store in container.persistentStoreCoordinator.persistentStores {
                try? container.persistentStoreCoordinator.remove(store)
            }
        }
        let context = ModelContext(container)
        let start = raw_now()
        let sum = try body(context)
        return (raw_now() - start, sum)
    }

    static func withRecords<Value>(
        _ url: URL, _ body: (NSManagedObjectContext) throws -> Value
    ) throws -> (seconds: Double, sum: Value) {
        guard let model = NSManagedObjectModel.makeManagedObjectModel(for: [ModelItem.self]) else {
            throw Failure("no model is made of the classes")
        }
        model.entitiesByName["ModelItem"]?.managedObjectClassName = "CoreDataBenchmarks.RecordItem"
        model.entitiesByName["ModelParent"]?.managedObjectClassName = "CoreDataBenchmarks.RecordParent"
        let container = try Workbench.open(url, model, tracksHistory: true)
        defer { try? Workbench.close(container) }
        // As a model context: used on this thread, without a queue.
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        let start = raw_now()
        let sum = try body(context)
        return (raw_now() - start, sum)
    }
}
