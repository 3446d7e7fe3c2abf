import CRawBaseline
import CoreData

/// A store of objects with ten integer attributes, made anew in a temporary folder.
struct ItemStore: Sendable {
    let url: URL
    let count: Int
    /// The attributes that have an index.
    private let indexed: Set<String>

    /// The library makes the store, C fills it: what is read later does not depend on how the library writes.
    init(count: Int, indexing indexed: Set<String> = []) throws {
        self.indexed = indexed
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Items.sqlite")
        self.count = count
        let container = try open()
        try Self.close(container)
        guard count > 0 else { return }
        let result = raw_fill_items(url.path, Int64(count))
        guard result == 0 else { throw Failure("SQLite could not fill \(url.path): result code \(result)") }
    }

    /// Closes the store, so that nothing of it is open while something else is measured.
    static func close(_ container: NSPersistentContainer) throws {
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
    }

    /// Opens the store with a coordinator of its own, whose row cache is empty.
    func open() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Items", managedObjectModel: Self.model(indexing: indexed))
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    func remove() {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    static let attributeNames = (0..<10).map { "a\($0)" }

    private static func model(indexing indexed: Set<String>) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Item"
        entity.managedObjectClassName = "Benchmarks.Item"
        entity.properties = attributeNames.map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .integer64AttributeType
            attribute.isOptional = true
            return attribute
        }
        entity.indexes = indexed.map { name in
            let element = NSFetchIndexElementDescription(
                property: entity.properties.first { $0.name == name } ?? NSPropertyDescription(),
                collationType: .binary)
            return NSFetchIndexDescription(name: "by\(name)", elements: [element])
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }
}

/// A result that makes the figures worthless.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
