import CoreDataStore

/// Migrates stores that were made with other versions of a model; implemented in a higher layer.
package protocol StoreMigrating: SendableMetatype {
    /// The class that migrates by mapping models: `NSMigrationManager`.
    static var managerClass: AnyClass { get }
    /// Migrates a store to the model, if it was made with another version and its options request migration.
    ///
    /// - Throws: 134110 to 134190, stating why the store cannot be migrated; the store is then unchanged, or at a
    ///   complete intermediate version.
    static func migrateIfWanted(_ store: StoreToOpen) throws
    /// Removes the backup that was made of a store before its migration; ignores any other name.
    static func removeBackup(named name: String, of url: URL, storeClass: any StoreClass.Type)
    /// Adds to an error about a store of another version how its entities differ from the model, and its known version.
    static func explain(_ error: NSError, of store: StoreToOpen) -> NSError
}

/// A store that is about to be opened with a model.
package struct StoreToOpen {
    package let storeClass: any StoreClass.Type
    /// The store type under which the class is registered.
    package let type: String
    package let url: URL
    package let configuration: String?
    package let options: [AnyHashable: Any]
    package let model: NSManagedObjectModel

    package init(
        storeClass: any StoreClass.Type, type: String, url: URL, configuration: String?, options: [AnyHashable: Any],
        model: NSManagedObjectModel
    ) {
        self.storeClass = storeClass
        self.type = type
        self.url = url
        self.configuration = configuration
        self.options = options
        self.model = model
    }

    /// Whether the options request a migration if the store is of another version.
    var wantsMigration: Bool {
        options[NSMigratePersistentStoresAutomaticallyOption] as? Bool ?? false
            || options[NSPersistentStoreStagedMigrationManagerOptionKey] != nil
    }

    /// The type that migrates stores; nil in a program without the module. Looked up by name, like the store types.
    private static let migrating = _typeByName("CoreDataMigration.OpeningMigration") as? any StoreMigrating.Type

    /// Removes the backup of a migrated store, after the first successful save.
    static func removeBackup(named name: String, of url: URL, storeClass: any StoreClass.Type) {
        migrating?.removeBackup(named: name, of: url, storeClass: storeClass)
    }

    /// The class that migrates by mapping models; `NSObject` in a program without the migration module.
    static var managerClass: AnyClass { migrating?.managerClass ?? NSObject.self }

    func migrateIfWanted() throws {
        guard wantsMigration else { return }
        try Self.migrating?.migrateIfWanted(self)
    }

    /// Runs a block that opens the store; adds an explanation to an error about a store of another version.
    func explaining<Result>(_ open: () throws -> Result) throws -> Result {
        do {
            return try open()
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreIncompatibleVersionHashError
        {
            throw Self.migrating?.explain(error, of: self) ?? error
        }
    }
}
