import CoreDataStore

/// The open methods of a coordinator do what other files and folders have for them.
extension NSPersistentStoreCoordinator: CoordinatorOperations {}
