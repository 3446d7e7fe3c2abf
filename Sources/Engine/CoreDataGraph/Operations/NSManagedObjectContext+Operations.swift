import CoreDataStore

/// Connects the open methods of `NSManagedObjectContext` with their implementations in higher folders.
extension NSManagedObjectContext: ContextOperations {}
