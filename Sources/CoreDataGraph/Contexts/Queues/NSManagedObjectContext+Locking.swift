import CoreDataStore

/// A lock for code that was written before contexts had queues.
///
/// It keeps out who takes it too, not the blocks of `perform`, and it does not make another thread the context's own.
extension NSManagedObjectContext: NSLocking {
    /// Waits until no other thread has the lock, and takes it; a thread may take it several times.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    public func lock() { queue.explicitLock.lock() }

    /// Gives the lock back; as often as it was taken, on the thread that took it.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    public func unlock() { queue.explicitLock.unlock() }

    /// Takes the lock unless another thread has it; whether it was taken.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    public func tryLock() -> Bool { queue.explicitLock.try() }
}
