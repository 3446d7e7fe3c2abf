import CoreDataStore

/// Connects the open methods of `NSPersistentStoreCoordinator` with their implementations in other files and folders.
extension NSPersistentStoreCoordinator: CoordinatorOperations {}
