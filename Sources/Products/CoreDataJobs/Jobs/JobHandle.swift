import Dispatch
import Foundation
import LockKit

/// What the work of a job reports its progress by, and learns by that it is to end or to stand still.
///
/// May be used from any thread, and by several at once.
public struct JobHandle: Sendable {
    let job: Job

    /// The job's identifier.
    public var id: UUID { job.id }

    /// Whether the job was cancelled.
    public var isCancelled: Bool { job.storage.withLock { $0.snapshot.isCancelled } }

    /// - Throws: `CancellationError` if the job was cancelled.
    public func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Reports units of work as done. This is a pause point: the thread stands still while the job is paused.
    ///
    /// - Throws: `CancellationError` if the job was cancelled; the units count all the same.
    public func advance(by units: Int64 = 1) throws {
        if try count(units) { try passPausePoint() }
    }

    /// Reports units of work as done. This is a pause point: the task stands still while the job is paused.
    ///
    /// - Throws: `CancellationError` if the job was cancelled; the units count all the same.
    public func advance(by units: Int64 = 1) async throws {
        if try count(units) { try await passPausePoint() }
    }

    /// Sets how many units are done, of how many, where work counts them itself; what is nil stays.
    public func report(completed: Int64? = nil, total: Int64? = nil, message: String? = nil) {
        job.storage.withLock { storage in
            guard !storage.snapshot.state.isEnded else { return }
            if let completed { storage.snapshot.completedUnitCount = max(0, completed) }
            if let total { storage.snapshot.totalUnitCount = max(0, total) }
            if let message { storage.snapshot.message = message }
            job.publishProgress(&storage)
        }
    }

    /// Stands still, with the thread, while the job is paused.
    ///
    /// - Throws: `CancellationError` if the job was cancelled.
    public func passPausePoint() throws { try job.stand { $0.state != .paused } }

    /// Stands still, without a thread, while the job is paused.
    ///
    /// - Throws: `CancellationError` if the job or the task was cancelled.
    public func passPausePoint() async throws { try await job.stand { $0.state != .paused } }

    /// Stands still, with the thread, until the network of the queue can be reached; without one it returns.
    ///
    /// - Throws: `CancellationError` if the job was cancelled.
    public func waitForNetwork() throws {
        let network = job.storage.withLock { $0.queue?.network }
        try job.stand { $0.state != .paused && network?.isReachable ?? true }
    }

    /// Stands still, without a thread, until the network of the queue can be reached; without one it returns.
    ///
    /// - Throws: `CancellationError` if the job or the task was cancelled.
    public func waitForNetwork() async throws {
        let network = job.storage.withLock { $0.queue?.network }
        try await job.stand { $0.state != .paused && network?.isReachable ?? true }
    }

    /// What an earlier run of the job has saved as the place where it is to be resumed; nil for a job that begins.
    public var checkpoint: Data? { job.entry?.record.checkpoint }

    /// Saves the place where the job is to be resumed if the process ends, with its progress; without a journal entry nothing happens.
    ///
    /// What the work has done up to here must be safe before this is called.
    ///
    /// - Throws: ``JobError``.
    public func saveCheckpoint(_ checkpoint: Data) throws {
        try job.entry?.save(checkpoint, job.snapshot)
    }

    /// Counts units; true if the job is paused.
    private func count(_ units: Int64) throws -> Bool {
        try job.storage.withLock { storage in
            guard !storage.snapshot.state.isEnded else { return false }
            storage.advance(by: units)
            job.publishProgress(&storage)
            if storage.snapshot.isCancelled { throw CancellationError() }
            return storage.snapshot.state == .paused
        }
    }
}

extension Job {
    private func mayGoOn(_ condition: @Sendable (JobSnapshot) -> Bool) throws -> Bool {
        let snapshot = snapshot
        if snapshot.isCancelled { throw CancellationError() }
        return condition(snapshot)
    }

    /// Blocks the thread until the condition holds; what changes it calls `wake()`.
    func stand(until condition: @Sendable (JobSnapshot) -> Bool) throws {
        while try !mayGoOn(condition) {
            let semaphore = DispatchSemaphore(value: 0)
            storage.withLock { $0.parking.add { semaphore.signal() } }
            // A change before the semaphore was there has woken nothing.
            if try mayGoOn(condition) { return }
            semaphore.wait()
        }
    }

    /// Suspends the task until the condition holds.
    func stand(until condition: @Sendable (JobSnapshot) -> Bool) async throws {
        while try !mayGoOn(condition) {
            try Task.checkCancellation()
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    storage.withLock { $0.parking.add { continuation.resume() } }
                    // A change before the continuation was there has woken nothing.
                    if Task.isCancelled || (try? mayGoOn(condition)) ?? true { wake() }
                }
            } onCancel: {
                wake()
            }
        }
    }
}
