import CoreDataStore

extension NSNotification.Name {
    /// Posted by Apple's framework before a change of the iCloud account makes a coordinator change its stores; never
    /// posted by this library.
    ///
    /// Apple's framework does not post it either for stores that a program adds and removes.
    public static let NSPersistentStoreCoordinatorStoresWillChange =
        NSNotification.Name("NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted by a coordinator after stores were added, removed or replaced.
    public static let NSPersistentStoreCoordinatorStoresDidChange =
        NSNotification.Name("NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// Posted before a store is removed from its coordinator, while it can still be read; its object is the store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore =
        NSNotification.Name("NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// Posted by a coordinator after a commit to one of its stores, by the coordinator itself or another writer, if the
    /// store has `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}
