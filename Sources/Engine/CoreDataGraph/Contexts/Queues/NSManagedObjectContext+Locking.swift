import CoreDataStore

/// A lock for code that was written before contexts had queues.
///
/// It keeps out who takes it too, not the blocks of `perform`, and it does not make another thread the context's own.
extension NSManagedObjectContext: NSLocking {}
