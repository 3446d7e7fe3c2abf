import CoreDataGraph

/// The URL, type and options of a store of a migration.
struct StorePlace {
    let url: URL
    let type: String
    let options: [AnyHashable: Any]

    /// The options without those that would start another migration.
    var plainOptions: [AnyHashable: Any] {
        let asking = [NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption]
        return options.filter { !asking.contains($0.key.base as? String ?? "") }
    }

    /// Whether the store is on a server; it is then created in place.
    var isOnServer: Bool { !isMemory && !url.isFileURL }

    /// Whether the store is in memory; it is then created in place and stays open.
    var isMemory: Bool { type == NSInMemoryStoreType || MemoryPlace(url) != nil }
}

/// One side of a migration: a copy of the model in which all objects are plain managed objects, the open store, and its
/// context.
final class MigrationStack {
    let model: NSManagedObjectModel
    let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    private let coordinator: NSPersistentStoreCoordinator
    private let configuration: String?
    private(set) var store: NSPersistentStore?
    /// The first read error since the last `checkReading()`.
    private var readingFailure: (any Error)?

    var isOpen: Bool { store != nil }

    init(
        _ model: NSManagedObjectModel, _ configuration: String?, keepsStoredForm: (NSAttributeDescription) -> Bool
    ) {
        // A model that was saved in a store may contain only the store's entities, without the configuration.
        self.configuration = model.entities(forConfigurationName: configuration) == nil ? nil : configuration
        self.model = model.migrationCopy(keepsStoredForm: keepsStoredForm)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: self.model)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        context.validatesOnSave = false
        context.mergePolicy = NSMergePolicy.error
        context.dataErrorHandler = { [weak self] error, _ in
            if self?.readingFailure == nil { self?.readingFailure = error }
        }
    }

    func open(type: String, at url: URL, options: [AnyHashable: Any]) throws {
        store = try coordinator.addPersistentStore(
            ofType: type, configurationName: configuration, at: url, options: options)
    }

    /// From here on, saves only change the store in memory, if it is of a type that rewrites its entire file in each
    /// save.
    func beginDeferredWriting() { store?.objects?.deferredWriting?.beginDeferredWriting() }

    func finishDeferredWriting() throws {
        try store?.serialized { try store?.objects?.deferredWriting?.finishDeferredWriting() }
    }

    var metadata: [String: Any] { store.map { coordinator.metadata(for: $0) } ?? [:] }

    func setMetadata(_ metadata: [String: Any]) throws {
        guard let store else { return }
        coordinator.setMetadata(metadata, for: store)
        try context.save()
    }

    /// - Throws: the first read error since the last call.
    func checkReading() throws {
        guard let failure = readingFailure else { return }
        readingFailure = nil
        throw failure
    }

    /// Closes the store; ignores a failure, since nothing remains to be written.
    func close() {
        context.reset()
        if let store { try? coordinator.remove(store) }
        store = nil
    }
}
