import CoreDataGraph

/// Opens a store for a single use and closes it again.
enum TrialStore {
    /// Opens a store, passes a context to a block and closes the store.
    static func with<Result>(
        _ url: URL, model: NSManagedObjectModel, options: [AnyHashable: Any] = [:],
        body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let plain = plain(model)
        StoredBytes.standIn(for: plain)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: plain)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        // The file must be closed before it is migrated. An error of closing would hide the error that `body` threw.
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        defer { context.performAndWait { context.reset() } }
        return try context.performAndWait { try body(context) }
    }

    /// Copies a model and sets the class of each entity to `NSManagedObject`, so that no custom class changes its
    /// objects.
    private static func plain(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { return model }
        for entity in copy.entities { entity.managedObjectClassName = "NSManagedObject" }
        return copy
    }
}

/// A folder in the temporary directory; it is removed with its contents when the last reference is released.
final class TrialFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-trial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private init(_ url: URL) { self.url = url }

    func copy() throws -> TrialFolder {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-trial-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: url, to: copy)
        return TrialFolder(copy)
    }

    // Errors are ignored: the system clears the temporary directory.
    deinit { try? FileManager.default.removeItem(at: url) }
}
