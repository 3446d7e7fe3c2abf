import CoreDataStore

/// Work on the coordinator's own queue, one block after another.
extension NSPersistentStoreCoordinator {
    /// Runs a block on the coordinator's queue later; does not wait.
    public func perform(_ block: @escaping PerformedBlock<Void, Never>) {
        let block = Transferred(block)
        queue.async { block.value() }
    }

    /// Runs a block on the coordinator's queue and waits for its result; throws what the block throws.
    ///
    /// May be nested: the block runs at once when the caller is on the queue.
    public func performAndWait<Result, Failure: Error>(
        _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if queue.isCurrent { return try block() }
        let result = queue.sync { Swift.Result(catching: block) }
        return try result.get()
    }

    /// Runs a block on the coordinator's queue and returns its result, or throws its error.
    ///
    /// As with the context's `perform`, nothing that belongs to a queue is to leave or enter the block.
    nonisolated(nonsending) public func perform<Result: PerformedResult, Failure: Error>(
        _ block: @escaping PerformedBlock<Result, Failure>
    ) async throws(Failure) -> Result {
        let block = Transferred(block)
        let result: Transferred<Swift.Result<Result, Failure>> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Transferred(Swift.Result(catching: block.value))) }
        }
        return try result.value.get()
    }
}

/// A lock for code that was written before there were queues; contexts do not take it.
extension NSPersistentStoreCoordinator: NSLocking {
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
