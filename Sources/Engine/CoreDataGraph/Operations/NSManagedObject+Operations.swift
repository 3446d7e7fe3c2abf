import CoreDataStore

/// Connects the open methods of `NSManagedObject` with their implementations in higher folders.
extension NSManagedObject: ObjectOperations {}
