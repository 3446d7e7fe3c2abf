import CoreDataGraph

extension NSPersistentStoreCoordinator {
    /// Migrates a store that is not open to a version of its model, a newer or an older one.
    ///
    /// It goes as when the store is opened with `NSMigratePersistentStoresAutomaticallyOption` and
    /// `NSInferMappingModelAutomaticallyOption`, by mapping models, inference and versions between, whatever the options say
    /// of that. Other options count: with `CoreDataMigrationKeepsValuesOption` what an older version has no place for is kept
    /// for the way back, with `CoreDataMigrationRefusesLossOption` the store stays as it is where data would be lost. A staged
    /// migration manager among the options is passed over: its stages lead forward only, which 134506 says when a store is
    /// opened. Nothing is done to a store that is of the version already. May be called on any thread, and takes as long as
    /// the migration does. Not in Apple's framework.
    /// - Throws: 134000 for a kind of store that the program does not have, 134080 where there is no store, 134110 to 134190
    ///   as said in `Docs/Migration.md`; the store is then as it was, or of a whole version between.
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
        // Says what is wrong with what is not a store, and where there is none.
        _ = try store.storeClass.metadataForPersistentStore(with: url)
        try OpeningMigration.migrateIfWanted(store)
    }
}
