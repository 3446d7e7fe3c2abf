import CRawBaseline
import CoreData

/// What a program waits for at its start until a compiled model of many entities can be used.
///
/// The file is read, the version hashes of all entities are known, and an object is created in a context.
///
/// Each run is a process of its own, since the first use of a library costs more than the next.
enum CompiledModel {
    static let all = [
        Benchmark("CM", size: 300) { count, session in
            let file = try compile(session.workbench, entities: count)
            let times = try (0..<session.runs).map { _ in try ChildWork.model.figure(file, count: count) }
            return [
                Row(
                    name: "CM  a compiled model of \(count) entities until it can be used, ms",
                    value: Measurement.median(of: times) * 1_000, bar: 10)
            ]
        }
    ]

    private static func compile(_ bench: Workbench, entities: Int) throws -> URL {
        let source = try ModelReading.source(bench, entities: entities)
        let file = bench.place("Compiled").deletingPathExtension().appendingPathExtension("mom")
        try NSManagedObjectModel(reading: source).compiledData().write(to: file)
        return file
    }

    static func seconds(_ file: URL, entities: Int) throws -> Double {
        let start = raw_now()
        let model = try NSManagedObjectModel(reading: file)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let hashes = model.entityVersionHashesByName
        context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "E0", into: context)
            object.setValue("first", forKey: "aString")
        }
        let seconds = raw_now() - start
        guard hashes.count == entities else { throw Failure("the model has \(hashes.count) entities") }
        return seconds
    }
}
