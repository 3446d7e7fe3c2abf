import CoreDataStore

/// The open methods of an object do what the folders above it have for them.
extension NSManagedObject: ObjectOperations {}
