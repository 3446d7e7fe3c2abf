import CoreDataModeling

extension NSManagedObjectContext {
    /// When a block handed to `perform(schedule:_:)` may start.
    public enum ScheduledTaskType: Sendable {
        /// At once when the caller is on the context's queue already.
        case immediate
        /// After everything that waits on the queue.
        case enqueued
    }

    func enqueue(_ block: @escaping @Sendable () -> Void) {
        queue.async {
            self.asCurrent(block)
            self.endEvent()
        }
    }

    /// Runs a block on the context's queue and waits for its result; throws what the block throws.
    ///
    /// May be nested, also through blocks of other queues that are waited for. The block runs at once on the caller's thread
    /// when the caller is on the queue; otherwise its changes are processed after it. Two threads that wait for each
    /// other's queues wait for ever, as everywhere. The block need not be `@Sendable` as Apple's, since the caller stands
    /// still meanwhile; what it must not do is to use objects of another context, or to hand out its own.
    public func performAndWait<Result, Failure: Error>(
        _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result { try finish(block) }

    func finish<Result, Failure: Error>(_ block: () throws(Failure) -> Result) throws(Failure) -> Result {
        if queue.isCurrent { return try asCurrent { Swift.Result(catching: block) }.get() }
        let result = queue.sync {
            let result = asCurrent { Swift.Result(catching: block) }
            endEvent()
            return result
        }
        return try result.get()
    }

    /// Runs a block on the context's queue and returns its result, or throws its error.
    ///
    /// The result must be `Sendable`: what leaves the queue is a value or an identifier, not an object. Apple's framework
    /// leaves that to the caller. The changes are processed after the block. An immediate block of the main queue's context
    /// runs at once where the caller is on the main actor.
    nonisolated(nonsending) public func perform<Result: Sendable, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
            let run: @Sendable () -> Void = {
                let result = self.asCurrent { Swift.Result(catching: block) }
                self.endEvent()
                continuation.resume(returning: result)
            }
            if schedule == .immediate && self.queue.isCurrent { run() } else { self.queue.async(run) }
        }
        return try result.get()
    }

    /// Runs a block on the queue as one whose current context this is.
    private func asCurrent<Result>(_ block: () -> Result) -> Result {
        let innermost = HeldQueue.innermost
        if let innermost, innermost.isBlock(of: self) { return block() }
        return HeldQueue(queue.mark, within: innermost, for: self).holding(block)
    }

    /// Announces what changed during an event, which ends with that.
    func endEvent() {
        if !unannounced.isEmpty || !refreshed.isEmpty { processPendingChanges() }
        if let undoManager, undoManager.ownerEndsEvents { undoManager.endEvent() }
    }
}
