import CoreData
import Testing

/// A coordinator with one store, a context on it, and what the context reported as unreadable.
final class OpenStore {
    let url: URL
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let store: SQLiteStore
    let context: NSManagedObjectContext
    private(set) var reports: [any Error] = []

    init(_ url: URL, model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil) throws {
        self.url = url
        self.model = model
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let added = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        store = try #require(added as? SQLiteStore)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.retainsRegisteredObjects = true
        context.dataErrorHandler = { [weak self] error, _ in self?.reports.append(error) }
    }

    func close() throws { try coordinator.remove(store) }

    /// The same file opened anew.
    func reopened() throws -> OpenStore {
        try close()
        return try OpenStore(url, model: model, store.options)
    }

    func fetch(_ entity: String, includesSubentities: Bool = true) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = includesSubentities
        return try context.fetch(request)
    }

    func forgetReports() { reports = [] }
}

extension NSManagedObject {
    /// The key in the object's table, out of its identifier.
    var key: Int64 { Int64(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? -1 }

    /// The members of a to-many relationship, in their order if they have one.
    func members(_ name: String) -> [NSManagedObject] {
        switch value(forKey: name) {
        case let ordered as NSOrderedSet: ordered.array as? [NSManagedObject] ?? []
        case let set as NSSet: set.allObjects as? [NSManagedObject] ?? []
        default: []
        }
    }
}

/// What lies in a store's folder: the content of the file and its log, and all names.
struct Footprint: Equatable {
    let contents: [String: Data]
    let names: Set<String>

    init(_ url: URL) throws {
        var contents: [String: Data] = [:]
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            contents[suffix] = try Data(contentsOf: URL(fileURLWithPath: url.path + suffix))
        }
        self.contents = contents.filter { !$0.value.isEmpty }
        names = Set(try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path))
    }
}
