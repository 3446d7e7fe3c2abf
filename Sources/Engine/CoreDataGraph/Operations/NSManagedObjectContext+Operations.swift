import CoreDataStore

/// The open methods of a context do what the folders above it have for them.
extension NSManagedObjectContext: ContextOperations {}
