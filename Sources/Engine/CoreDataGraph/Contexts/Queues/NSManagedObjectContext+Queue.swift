import CoreDataStore

/// An object with its own queue, on which blocks run.
///
/// A method that a program declares in an extension of a conforming class takes precedence over one of the same name
/// here.
public protocol QueuePerforming: AnyObject {}

extension QueuePerforming where Self: NSManagedObjectContext {
    /// Runs a block on the context's queue and waits for its result; throws what the block throws.
    ///
    /// May be nested, also through blocks of other queues that the caller waits for. If the caller is on the queue, the
    /// block runs at once, as a part of the running block; otherwise its changes are processed after it. While the
    /// caller waits, it runs the requests of other blocks to the queues that it holds, so contexts that wait for each
    /// other do not deadlock. The block must not use objects of another context, nor pass its own objects to other
    /// queues. A method of this name in a program's own extension of the class takes precedence over this one there.
    public func performAndWait<Result, Failure: Error>(
        _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result { try finish(block) }
}

extension NSManagedObjectContext {
    /// When a block passed to `perform(schedule:_:)` may start.
    public enum ScheduledTaskType: Sendable {
        /// At once if the caller is on the context's queue already; otherwise as `enqueued`.
        case immediate
        /// After all blocks that wait on the queue.
        case enqueued
    }

    func enqueue(_ block: @escaping () -> Void) {
        let block = Transferred(block)
        queue.async {
            self.asCurrent(block.value)
            self.endEvent()
        }
    }

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
    /// The result should be a value or an identifier; it may be an object only if the caller is on the same queue, such
    /// as the main actor with the view context. The compiler checks this only with the package trait `SendableBlocks`;
    /// `-com.apple.CoreData.ConcurrencyDebug 1` checks it at run time. The changes are processed after the block. With
    /// `.immediate` the block runs at once if the caller is on the queue.
    nonisolated(nonsending) public func perform<Result: PerformedResult, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping PerformedBlock<Result, Failure>
    ) async throws(Failure) -> Result {
        let block = Transferred(block)
        let result: Transferred<Swift.Result<Result, Failure>> = await withCheckedContinuation { continuation in
            let run: @Sendable () -> Void = {
                let result = self.asCurrent { Swift.Result(catching: block.value) }
                self.endEvent()
                continuation.resume(returning: Transferred(result))
            }
            if schedule == .immediate && self.queue.isCurrent { run() } else { self.queue.async(run) }
        }
        return try result.value.get()
    }

    /// Runs a block on the queue with this context as `current`.
    private func asCurrent<Result>(_ block: () -> Result) -> Result {
        let innermost = HeldQueue.innermost
        if let innermost, innermost.isBlock(of: self) { return block() }
        return HeldQueue(queue.mark, within: innermost, for: self).holding(block)
    }

    /// The context in whose block the caller is; the innermost if there are several.
    static var current: NSManagedObjectContext? { enclosing.first }

    /// The contexts in whose blocks the caller is, the innermost first.
    static var enclosing: [NSManagedObjectContext] {
        sequence(first: HeldQueue.innermost) { $0?.outer }.prefix { $0 != nil }
            .compactMap { $0?.owner as? NSManagedObjectContext }
    }

    /// Ends an event: processes the pending changes and notifies observers.
    func endEvent() {
        if !unannounced.isEmpty || !refreshed.isEmpty { processPendingChanges() }
        if let undoManager, undoManager.ownerEndsEvents { undoManager.endEvent() }
    }
}
