import CoreDataStore

/// What the open methods of a coordinator do.
///
/// As with `ContextOperations`, methods that programs may override must be declared in the class itself; the class knows their
/// work by these requirements alone. A coordinator conforms in `Operations/`.
protocol CoordinatorOperations: AnyObject {
    // MARK: Stores

    /// The store at a URL.
    func knownStore(at url: URL) -> NSPersistentStore?
    /// Gives a store another place; false where that fails.
    func relocate(_ store: NSPersistentStore, to url: URL) -> Bool
    /// Sets the program's own metadata of a store, to be written by the next save.
    func take(_ metadata: [String: Any]?, for store: NSPersistentStore)
    /// Has changed records read from their stores again.
    func forgetRows(of changes: SavedChanges)
    /// Checks that the program has what the model names: reports what is missing, or strictly refuses to open the store.
    func checkDemands(of url: URL, strictly: Bool) throws
    /// The identifier of the record that a URI names.
    func identifier(named uri: URL) -> NSManagedObjectID?
    /// The token of what is in some stores now, all of them for nil or none.
    func newestToken(of stores: [Any]?) -> NSPersistentHistoryToken?

    // MARK: Files

    /// Destroys all that a store has.
    func destroyStore(at url: URL, _ storeType: String, _ options: [AnyHashable: Any]?) throws
    /// Puts a copy of one store in another's place.
    func replaceStore(
        at destinationURL: URL, _ destinationOptions: [AnyHashable: Any]?, withStoreAt sourceURL: URL,
        sourceOptions: [AnyHashable: Any]?, storeType: String
    ) throws
    /// Copies a store to another place or kind, and puts the copy in its place in the coordinator.
    func move(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]?, storeType: String
    ) throws -> NSPersistentStore
}

extension NSPersistentStoreCoordinator {
    /// The work of the open methods.
    var operations: any CoordinatorOperations { self }
}
