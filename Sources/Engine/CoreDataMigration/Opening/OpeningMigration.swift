import CoreDataGraph

/// Migrates a store that has another model version, when the store is added to a coordinator.
///
/// The first that applies is used: the stages of a staged migration manager; a mapping model among the program's
/// resources from the store's version to the coordinator's; inference, if the options allow it. A class, since the
/// object graph finds the type by its name, which works for classes only.
package final class OpeningMigration: StoreMigrating {
    private init() {}

    package static var managerClass: AnyClass { NSMigrationManager.self }

    package static func migrateIfWanted(_ store: StoreToOpen) throws {
        guard let metadata = try existingMetadata(of: store) else { return }
        guard !isCompatible(store, metadata) else { return }
        guard store.options[NSReadOnlyPersistentStoreOption] as? Bool != true else {
            throw MigrationErrors.readOnly(store.url)
        }
        guard let migrating = store.storeClass.schemaMigrating else { return try migrate(store, metadata) }
        try migrating.migratingAlone(at: store.url, options: store.options) {
            // Another program may have migrated the store while this one waited.
            guard let present = try existingMetadata(of: store), !isCompatible(store, present) else { return }
            try migrate(store, present)
        }
    }

    private static func migrate(_ store: StoreToOpen, _ metadata: [String: Any]) throws {
        try CoreDataMetrics.measuringMigration(of: store.url.lastPathComponent) {
            let source = try SourceModel.find(of: store, metadata)
            try BackedUpMigration(store: store, metadata: metadata).run { try migrate(store, from: source, metadata) }
        }
    }

    private static func migrate(
        _ store: StoreToOpen, from source: NSManagedObjectModel, _ metadata: [String: Any]
    ) throws {
        if let manager = store.options[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager {
            return try StagedMigration(manager: manager, store: store, source: source, metadata: metadata).run()
        }
        try StoreMigration(store: store, source: source).run()
    }

    package static func removeBackup(named name: String, of url: URL, storeClass: any StoreClass.Type) {
        guard let backup = StoreBackup.place(named: name, of: url),
            FileManager.default.fileExists(atPath: backup.path)
        else { return }
        StoreBackup.remove(backup, storeClass: storeClass)
    }

    package static func explain(_ error: NSError, of store: StoreToOpen) -> NSError {
        IncompatibleStore(store).explained(error)
    }

    /// The metadata of an existing store; nil if the store does not exist, or if its metadata cannot be read, which
    /// opening the store will report.
    private static func existingMetadata(of store: StoreToOpen) throws -> [String: Any]? {
        guard !store.url.isFileURL || FileManager.default.fileExists(atPath: store.url.path) else { return nil }
        return try? store.storeClass.metadataForPersistentStore(with: store.url)
    }

    private static func isCompatible(_ store: StoreToOpen, _ metadata: [String: Any]) -> Bool {
        store.options[NSIgnorePersistentStoreVersioningOption] as? Bool == true
            || store.model.isVersion(ofStoreWith: metadata, store.configuration) {
                try? store.storeClass.keptModel(at: store.url)
            }
    }
}
