import Dispatch
import Foundation
import LockKit

extension Job {
    /// Waits until the job has ended.
    ///
    /// If the task that waits is cancelled, so is the job.
    ///
    /// - Throws: The error of its work; `CancellationError` if it was cancelled.
    public func waitForCompletion() async throws {
        let last = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in whenEnded { continuation.resume(returning: $0) } }
        } onCancel: {
            cancel()
        }
        try Self.check(last)
    }

    /// Blocks the thread until the job has ended. Not for the main queue, which would be blocked, nor for tasks.
    ///
    /// - Throws: The error of its work; `CancellationError` if it was cancelled.
    public func waitUntilEnded() throws {
        let semaphore = DispatchSemaphore(value: 0)
        whenEnded { _ in semaphore.signal() }
        semaphore.wait()
        try Self.check(snapshot)
    }

    private static func check(_ last: JobSnapshot) throws {
        switch last.state {
        case .cancelled: throw CancellationError()
        case .failed: throw last.error ?? CancellationError()
        default: return
        }
    }

    /// Calls a block once, when the job has ended; at once if it has.
    func whenEnded(_ handler: @escaping @Sendable (JobSnapshot) -> Void) {
        if !storage.withLock({ $0.addEndHandler(handler) }) { handler(snapshot) }
    }

    /// Makes the state final; the lock is held. Without the lock `conclude()` must follow.
    func end(_ state: JobState, _ storage: inout JobStorage) {
        storage.snapshot.state = state
        publishState(&storage)
        storage.release()
    }

    /// Does what is left when a state has become final.
    func conclude() {
        let last = snapshot
        let total = last.state == .finished ? max(last.totalUnitCount, last.completedUnitCount, 1) : last.totalUnitCount
        access.set(
            completed: last.state == .finished ? total : last.completedUnitCount, total: total, isFinal: true)
        entry?.remove()
        let left = storage.withLock { $0.conclude() }
        for handler in left.handlers { handler(last) }
        completion.start()
        withExtendedLifetime(left) {}
    }

    /// Ends the job as its work did.
    func end(_ result: Result<Void, any Error>) {
        storage.withLock { storage in
            guard case .failure(let error) = result else { return end(.finished, &storage) }
            if error is CancellationError || storage.snapshot.isCancelled {
                storage.snapshot.isCancelled = true
                return end(.cancelled, &storage)
            }
            storage.snapshot.error = error
            storage.snapshot.reason = String(describing: error)
            end(.failed, &storage)
        }
        conclude()
    }
}
