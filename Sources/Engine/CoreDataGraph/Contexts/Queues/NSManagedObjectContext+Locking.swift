import CoreDataStore

/// A lock for code that was written before contexts had queues.
///
/// Other threads that acquire the lock wait, but blocks of `perform` do not, and the lock does not move the context to
/// a thread.
extension NSManagedObjectContext: NSLocking {}
