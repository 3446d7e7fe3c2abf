import CoreDataModeling

extension NSManagedObjectContext {
    /// When a block handed to `perform(schedule:_:)` may start.
    public enum ScheduledTaskType: Sendable {
        /// At once when the caller is on the context's queue already.
        case immediate
        /// After everything that waits on the queue.
        case enqueued
    }

    /// Runs a block on the context's queue later and processes its changes afterwards; does not wait.
    public func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async {
            block()
            self.endEvent()
        }
    }

    /// Runs a block on the context's queue and waits for its result; may be nested.
    public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        if queue.isCurrent { return try block() }
        return try queue.sync {
            defer { endEvent() }
            return try block()
        }
    }

    /// Runs a block on the context's queue and returns its result, or throws its error.
    public func perform<Result, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let work = Transferred(block)
        let result: Transferred<Swift.Result<Result, Failure>> = await withCheckedContinuation { continuation in
            let run: @Sendable () -> Void = {
                let result = Swift.Result(catching: work.value)
                self.endEvent()
                continuation.resume(returning: Transferred(result))
            }
            if schedule == .immediate && self.queue.isCurrent { run() } else { self.queue.async(run) }
        }
        return try result.value.get()
    }

    /// Announces what changed during an event.
    private func endEvent() {
        if !unannounced.isEmpty || !refreshed.isEmpty { processPendingChanges() }
        if let undoManager, undoManager.ownerEndsEvents { undoManager.endEvent() }
    }
}
