import CoreDataGraph

/// A migration that the store type executes itself, by changing the schema of a copy, without creating objects.
///
/// Used for inferred mapping models that the program has not changed, between two files of the same store type. Other
/// migrations, and those that the store type would refuse, are performed with objects.
struct StoreSpecificMigration {
    private let manager: NSMigrationManager
    private let from: StorePlace
    private let to: StorePlace
    private let migrating: any SchemaMigrating.Type
    private let administering: any StoreAdministering.Type

    /// Nil if the migration must be performed with objects.
    init?(_ manager: NSMigrationManager, _ mappings: NSMappingModel, from: StorePlace, to: StorePlace) {
        guard manager.usesStoreSpecificMigrationManager, from.type == to.type, !from.isMemory, !to.isMemory,
            from.url.isFileURL, to.url.isFileURL,
            to.plainOptions.isEmpty, from.url.standardizedFileURL.path != to.url.standardizedFileURL.path,
            let storeClass = NSPersistentStoreCoordinator.registeredStoreTypes[from.type],
            let migrating = storeClass.schemaMigrating, let administering = storeClass.administration,
            Self.isInferred(mappings, manager),
            FileManager.default.fileExists(atPath: from.url.path), !FileManager.default.fileExists(atPath: to.url.path),
            let metadata = try? storeClass.metadataForPersistentStore(with: from.url),
            manager.sourceModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        else { return nil }
        (self.manager, self.from, self.to) = (manager, from, to)
        (self.migrating, self.administering) = (migrating, administering)
    }

    /// Whether the mapping model equals the one that is inferred from the two models.
    private static func isInferred(_ mappings: NSMappingModel, _ manager: NSMigrationManager) -> Bool {
        guard mappings.isInferred, let entries = mappings.entityMappings,
            let fresh = try? NSMappingModel.inferredMappingModel(
                forSourceModel: manager.sourceModel, destinationModel: manager.destinationModel),
            MigrationAnalysis(from: manager.sourceModel, to: manager.destinationModel).obstacles.isEmpty
        else { return false }
        let isPlain = entries.allSatisfy {
            ($0.entityMigrationPolicyClassName ?? "").isEmpty && ($0.userInfo ?? [:]).isEmpty
        }
        return isPlain && mappings.description == fresh.description
    }

    /// Makes the migrated store, with a new UUID, and moves it to its URL atomically.
    ///
    /// - Throws: `NSMigrationError`, `NSMigrationConstraintViolationError` and others of `NSCocoaErrorDomain`.
    func run() throws {
        let temporary = try TemporaryStore(for: to.url, type: to.type)
        do {
            try administering.replaceStore(
                at: temporary.url, options: [:], withStoreAt: from.url, options: from.plainOptions)
            try manager.checkCancellation()
            try migrating.migrateSchema(
                SchemaMigrationRequest(
                    url: temporary.url, options: [:], configuration: nil, source: ModelLayout.of(manager.sourceModel),
                    destination: ModelLayout.of(manager.destinationModel)))
            try manager.checkCancellation()
            let type = NSPersistentStore.StoreType(rawValue: to.type)
            var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: temporary.url)
            metadata[NSStoreUUIDKey] = UUID().uuidString
            try NSPersistentStoreCoordinator.setMetadata(metadata, type: type, at: temporary.url)
            try temporary.publish()
        } catch {
            temporary.discard()
            throw error
        }
    }
}
