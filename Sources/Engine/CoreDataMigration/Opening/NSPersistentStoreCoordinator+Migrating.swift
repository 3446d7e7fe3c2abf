import CoreDataGraph

extension NSPersistentStoreCoordinator {
    /// Migrates a store that is not open to a version of its model, a newer or an older one.
    ///
    /// It works as if the store were opened with `NSMigratePersistentStoresAutomaticallyOption` and
    /// `NSInferMappingModelAutomaticallyOption`, by mapping models, inference and versions between, whatever the options specify for
    /// these. Other options apply: `CoreDataMigrationKeepsValuesOption` stores values that an older version lacks for a later migration
    /// back, `CoreDataMigrationRefusesLossOption` leaves the store unchanged if data would be lost. A staged migration manager among the
    /// options is ignored: its stages lead forward only, and opening a newer store throws `NSStagedMigrationBackwardMigrationError`. A
    /// store that has the version already is not changed. May be called on any thread, and takes as long as the migration does. Not in
    /// Apple's framework.
    /// - Throws: 134000 for a store type that the program lacks, 134080 if no store exists, 134110 to 134190 as described in
    ///   `Docs/Migration.md`; the store is then unchanged, or of a complete version between.
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
        // Throws the reason if the file is not a store, or does not exist.
        _ = try store.storeClass.metadataForPersistentStore(with: url)
        try OpeningMigration.migrateIfWanted(store)
    }
}
