import CoreDataStore

/// What migrates stores of other versions of a model, above the graph.
package protocol StoreMigrating: SendableMetatype {
    /// The class that migrates by mapping models: `NSMigrationManager`.
    static var managerClass: AnyClass { get }
    /// Migrates a store to the model, if it is of another version and its options request that.
    ///
    /// - Throws: 134110 to 134190 stating why it cannot be migrated; the store is then unchanged, or at a complete version between.
    static func migrateIfWanted(_ store: StoreToOpen) throws
    /// Removes the copy that was made of a store before its migration; ignores any other name.
    static func removeBackup(named name: String, of url: URL, storeClass: any StoreClass.Type)
    /// Adds to the error of a store of another version which entities differ in what, and which known version it is of.
    static func explain(_ error: NSError, of store: StoreToOpen) -> NSError
}

/// A store that is about to be opened with a model.
package struct StoreToOpen {
    package let storeClass: any StoreClass.Type
    /// The name of the kind of store, under which its class is registered.
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

    /// Whether the options ask for a migration, should the store be of another version.
    var wantsMigration: Bool {
        options[NSMigratePersistentStoresAutomaticallyOption] as? Bool ?? false
            || options[NSPersistentStoreStagedMigrationManagerOptionKey] != nil
    }

    /// What migrates stores; nil in a program without it. Found by its name, as kinds of stores are.
    private static let migrating = _typeByName("CoreDataMigration.OpeningMigration") as? any StoreMigrating.Type

    /// Removes the copy of a store of before; the store has proved to be of use by a save.
    static func removeBackup(named name: String, of url: URL, storeClass: any StoreClass.Type) {
        migrating?.removeBackup(named: name, of: url, storeClass: storeClass)
    }

    /// The class that migrates by mapping models; `NSObject` in a program without it.
    static var managerClass: AnyClass { migrating?.managerClass ?? NSObject.self }

    func migrateIfWanted() throws {
        guard wantsMigration else { return }
        try Self.migrating?.migrateIfWanted(self)
    }

    /// Runs what opens the store; an error of another version says what is known about it.
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
