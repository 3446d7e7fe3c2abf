import CoreDataStore

extension NSNotification.Name {
    /// Posted by Apple's framework before an account of iCloud makes a coordinator change its stores; never here.
    ///
    /// Stores that a program adds and removes itself are not announced by it there either.
    public static let NSPersistentStoreCoordinatorStoresWillChange =
        NSNotification.Name("NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted by a coordinator when stores were added, removed or exchanged.
    public static let NSPersistentStoreCoordinatorStoresDidChange =
        NSNotification.Name("NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// Posted before a store is removed from its coordinator, while it can still be read; its object is the store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore =
        NSNotification.Name("NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// Posted by a coordinator when a writer outside it has written to one of its stores.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}
