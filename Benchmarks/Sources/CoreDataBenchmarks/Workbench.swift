import CoreData

/// The stores that benchmarks read, each made when the first asks for it, in one folder that goes with the process's work.
final class Workbench {
    let folder: URL
    private var made: [String: Any] = [:]
    private var held: [String: Any] = [:]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A place for a file of its own.
    func place(_ name: String) -> URL { folder.appendingPathComponent("\(name)-\(UUID().uuidString).sqlite") }

    /// What was made under a name, or is made now: a store that others read too.
    func once<Thing>(_ name: String, _ make: () throws -> Thing) rethrows -> Thing {
        if let thing = made[name] as? Thing { return thing }
        let thing = try make()
        made[name] = thing
        return thing
    }

    /// What was made under a name by this benchmark, or is made now: what takes memory.
    func meanwhile<Thing>(_ name: String, _ make: () throws -> Thing) rethrows -> Thing {
        if let thing = held[name] as? Thing { return thing }
        let thing = try make()
        held[name] = thing
        return thing
    }

    /// Lets go of what takes memory; what is measured next does not share it.
    func clear() { held = [:] }

    /// A store of a model at a place, with a coordinator of its own whose row cache is empty.
    static func open(
        _ url: URL, _ model: NSManagedObjectModel, pragmas: [String: String] = [:], tracksHistory: Bool = false,
        type: String = NSSQLiteStoreType
    ) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Benchmark", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = type
        for (name, value) in pragmas { description.setValue(value as NSString, forPragmaNamed: name) }
        if tracksHistory { description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey) }
        // A copy of a store before its migration is no part of what migrating costs.
        description.setOption(NSNumber(value: false), forKey: CoreDataMigrationBackupOption)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    /// Closes the store, so that nothing of it is open while something else is measured.
    static func close(_ container: NSPersistentContainer) throws {
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
    }

    /// Removes a closed store with what SQLite keeps beside it.
    static func removeStore(at url: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }

    /// A model of one entity, whose attributes are optional.
    static func model(
        _ name: String, _ attributes: [(String, NSAttributeType)], unique: [[String]] = [], indexed: Set<String> = []
    ) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "CoreDataBenchmarks.\(name)"
        entity.properties = attributes.map { attribute($0.0, $0.1) }
        entity.uniquenessConstraints = unique
        entity.indexes = indexed.sorted().compactMap { name in
            entity.attributesByName[name].map {
                NSFetchIndexDescription(
                    name: "by\(name)", elements: [NSFetchIndexElementDescription(property: $0, collationType: .binary)])
            }
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }
}

/// A result that makes the figures worthless.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
