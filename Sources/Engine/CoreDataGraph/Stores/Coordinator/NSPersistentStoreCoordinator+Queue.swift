import CoreDataStore

extension QueuePerforming where Self: NSPersistentStoreCoordinator {
    /// Runs a block on the coordinator's queue and waits for its result; throws what the block throws.
    ///
    /// May be nested: the block runs immediately if the caller is on the queue.
    public func performAndWait<Result, Failure: Error>(
        _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result { try finish(block) }
}

/// Running blocks on the coordinator's own queue, one after another.
extension NSPersistentStoreCoordinator {
    func finish<Result, Failure: Error>(_ block: () throws(Failure) -> Result) throws(Failure) -> Result {
        if queue.isCurrent { return try block() }
        let result = queue.sync { Swift.Result(catching: block) }
        return try result.get()
    }

    /// Runs a block on the coordinator's queue and returns its result, or throws its error.
    ///
    /// As with the context's `perform`, objects that belong to a queue must not be passed into or out of the block.
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

/// Conforms to `NSLocking` for code that was written before there were queues; contexts do not use the lock.
extension NSPersistentStoreCoordinator: NSLocking {}
