import CoreDataStore

/// The implementations of a coordinator's open methods.
///
/// As with `ContextOperations`, methods that programs may override must be declared in the class, which calls their
/// implementations only through these requirements. `NSPersistentStoreCoordinator` conforms in `Operations/`.
protocol CoordinatorOperations: AnyObject {
    // MARK: Stores

    /// Returns the store at a URL.
    func knownStore(at url: URL) -> NSPersistentStore?
    /// Continues a store at another URL; returns false if that fails.
    func relocate(_ store: NSPersistentStore, to url: URL) -> Bool
    /// Sets the program's own metadata of a store, which the next save writes.
    func take(_ metadata: [String: Any]?, for store: NSPersistentStore)
    /// Removes changed records from the row caches, so that they are read again.
    func forgetRows(of changes: SavedChanges)
    /// Checks that the program has the classes and transformers that the model names. If some are missing, logs a
    /// warning, or throws if `strictly`.
    func checkDemands(of url: URL, strictly: Bool) throws
    /// Returns the identifier of the record that a URI names.
    func identifier(named uri: URL) -> NSManagedObjectID?
    /// Returns the present history token of some stores, or of all if `stores` is nil or empty.
    func newestToken(of stores: [Any]?) -> NSPersistentHistoryToken?

    // MARK: Files

    /// Destroys the contents of a store.
    func destroyStore(at url: URL, _ storeType: String, _ options: [AnyHashable: Any]?) throws
    /// Replaces a store by a copy of another one.
    func replaceStore(
        at destinationURL: URL, _ destinationOptions: [AnyHashable: Any]?, withStoreAt sourceURL: URL,
        sourceOptions: [AnyHashable: Any]?, storeType: String
    ) throws
    /// Copies a store to another URL or type, and replaces the store in the coordinator with the copy.
    func move(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]?, storeType: String
    ) throws -> NSPersistentStore
}

extension NSPersistentStoreCoordinator {
    /// The implementations of the open methods.
    var operations: any CoordinatorOperations { self }
}
