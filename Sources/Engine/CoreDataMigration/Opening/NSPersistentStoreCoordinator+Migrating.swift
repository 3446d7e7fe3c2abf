import CoreDataGraph

extension NSPersistentStoreCoordinator {
    /// Migrates a store that is not open to a version of its model, which may be newer or older.
    ///
    /// It works as if the store were added with `NSMigratePersistentStoresAutomaticallyOption` and
    /// `NSInferMappingModelAutomaticallyOption`: by mapping models, inference and intermediate versions, whatever
    /// `options` contains for these two keys. Other options apply: with `CoreDataMigrationKeepsValuesOption` a
    /// migration to an older version stores the values that the older version lacks, for a later migration back; with
    /// `CoreDataMigrationRefusesLossOption` the store stays unchanged if data would be lost. A staged migration manager
    /// in `options` is ignored, since its stages lead forward only: with it, adding a store that is newer than the
    /// model would throw `NSStagedMigrationBackwardMigrationError`. A store that already has the version is not
    /// changed. May be called on any thread, and blocks it for the duration of the migration. Not in Apple's framework.
    /// - Throws: 134000 if the program lacks the store type, 134080 if no store exists, 134110 to 134190 as described
    ///   in `Docs/Migration.md`; the store is then unchanged, or has a complete intermediate version.
    public class func migrateStore(
        at url: URL, type: NSPersistentStore.StoreType, to model: NSManagedObjectModel, configuration: String? = nil,
        options: [AnyHashable: Any]? = nil
    ) throws {
        var options = options ?? [:]
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
        options[NSMigratePersistentStoresAutomaticallyOption] = true
        options[NSInferMappingModelAutomaticallyOption] = true
        let store = try StoreToOpen(
            url, type: type.rawValue, configuration: configuration, options: options, model: model)
        // Throws if the file does not exist or is not a store.
        _ = try store.storeClass.metadataForPersistentStore(with: url)
        try OpeningMigration.migrateIfWanted(store)
    }
}
