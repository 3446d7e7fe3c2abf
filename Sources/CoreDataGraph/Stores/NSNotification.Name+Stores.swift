import CoreDataModeling

extension NSNotification.Name {
    /// Posted by a coordinator before a store is removed from its list or exchanged.
    public static let NSPersistentStoreCoordinatorStoresWillChange =
        NSNotification.Name("NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted by a coordinator when stores were added, removed or exchanged.
    public static let NSPersistentStoreCoordinatorStoresDidChange =
        NSNotification.Name("NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// Posted by a coordinator before a store is removed, while it can still be read.
    public static let NSPersistentStoreCoordinatorWillRemoveStore =
        NSNotification.Name("NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// Posted by a coordinator when somebody outside it has written to one of its stores.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}
