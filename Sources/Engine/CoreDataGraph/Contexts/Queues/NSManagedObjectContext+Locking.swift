import CoreDataStore

/// A lock for code that was written before contexts had queues.
///
/// Other threads that acquire the lock wait, but blocks of `perform` do not. A thread with the lock is not thereby on
/// the context's queue.
extension NSManagedObjectContext: NSLocking {}
