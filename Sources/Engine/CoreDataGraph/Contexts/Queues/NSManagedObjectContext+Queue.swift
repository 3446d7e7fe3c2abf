import CoreDataStore

/// An object with its own queue, on which blocks run.
///
/// What is declared of it gives way to methods of the same name that programs declare in extensions of its classes.
public protocol QueuePerforming: AnyObject {}

extension QueuePerforming where Self: NSManagedObjectContext {
    /// Runs a block on the context's queue and waits for its result; throws what the block throws.
    ///
    /// May be nested, also through blocks of other queues that are waited for. The block runs at once on the caller's thread
    /// when the caller is on the queue; otherwise its changes are processed after it. While the caller waits, it runs what
    /// the blocks before its own ask of the queues that it holds, so contexts that wait for each other do not wait for ever.
    /// The block must not use objects of another context, nor pass its own to other queues.
    /// A method of this name in a program's own extension of the class takes the place of this one there.
    public func performAndWait<Result, Failure: Error>(
        _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result { try finish(block) }
}

extension NSManagedObjectContext {
    /// When a block handed to `perform(schedule:_:)` may start.
    public enum ScheduledTaskType: Sendable {
        /// At once when the caller is on the context's queue already.
        case immediate
        /// After everything that waits on the queue.
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
    /// What leaves the queue is to be a value or an identifier: objects only where the caller is on the queue too, as the
    /// main actor is on that of the view context. The compiler does not see it, unless the package trait `SendableBlocks`
    /// is on; `-com.apple.CoreData.ConcurrencyDebug 1` does. The changes are processed after the block. An immediate block
    /// runs at once where the caller is on the queue.
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

    /// Runs a block on the queue as one whose current context this is.
    private func asCurrent<Result>(_ block: () -> Result) -> Result {
        let innermost = HeldQueue.innermost
        if let innermost, innermost.isBlock(of: self) { return block() }
        return HeldQueue(queue.mark, within: innermost, for: self).holding(block)
    }

    /// The context in whose block the caller is, the innermost where there are several.
    static var current: NSManagedObjectContext? { enclosing.first }

    /// The contexts in whose blocks the caller is, the innermost first.
    static var enclosing: [NSManagedObjectContext] {
        sequence(first: HeldQueue.innermost) { $0?.outer }.prefix { $0 != nil }
            .compactMap { $0?.owner as? NSManagedObjectContext }
    }

    /// Announces what changed during an event, which ends with that.
    func endEvent() {
        if !unannounced.isEmpty || !refreshed.isEmpty { processPendingChanges() }
        if let undoManager, undoManager.ownerEndsEvents { undoManager.endEvent() }
    }
}
