import Foundation
import LockKit

extension Job {
    /// Runs blocking work on the calling thread, without a queue, after its prerequisites have ended.
    ///
    /// - Throws: The error of its work; `CancellationError` if the job or a prerequisite was cancelled or a prerequisite failed;
    ///   ``JobError`` if the job was used before, or its work is asynchronous.
    public func runInPlace() throws {
        let work = storage.withLock { $0.work }
        if case .asynchronous? = work {
            throw JobError(
                .workIsAsynchronous, "the work of the job '\(title)' is asynchronous; add it to a JobQueue instead")
        }
        for prerequisite in try use(in: nil) { prerequisite.completion.waitUntilFinished() }
        guard case .blocking(let body)? = work else { throw CancellationError() }
        try storage.withLock { storage in
            guard !storage.snapshot.state.isEnded else { throw CancellationError() }
            storage.hasBegun = true
            // A paused one stands still at its first pause point.
            if storage.snapshot.state == .waiting { storage.snapshot.state = .running }
            publishState(&storage)
        }
        end(Result { try body(JobHandle(job: self)) })
        try waitUntilEnded()
    }

    /// Notes that the job is used, and that it ends with a prerequisite that does not finish. Returns the prerequisites.
    @discardableResult
    func use(in queue: JobScheduling?) throws -> [Job] {
        let prerequisites = try storage.withLock { storage in
            guard !storage.isUsed else {
                throw JobError(.alreadyUsed, "the job '\(title)' was run or added to a queue before; make another one")
            }
            storage.isUsed = true
            storage.queue = queue
            return storage.prerequisites
        }
        for prerequisite in prerequisites {
            prerequisite.whenEnded { [weak self] last in
                switch last.state {
                case .cancelled: self?.cancel(reason: "its prerequisite '\(last.title)' was cancelled")
                case .failed: self?.cancel(reason: "its prerequisite '\(last.title)' failed: \(last.reason ?? "")")
                default: break
                }
            }
        }
        return prerequisites
    }

    /// Gives Foundation's queue an operation for the job if the job may begin and has none there.
    func enqueue() {
        let added = storage.withLock { storage -> (JobScheduling, JobOperation, [Job])? in
            guard let queue = storage.queue, storage.snapshot.state == .waiting, storage.operation == nil,
                !needsNetwork || queue.network?.isReachable ?? true
            else { return nil }
            let operation = JobOperation(self)
            storage.operation = operation
            return (queue, operation, storage.prerequisites)
        }
        guard let (queue, operation, prerequisites) = added else { return }
        operation.name = title
        operation.queuePriority = priority.queuePriority
        for prerequisite in prerequisites {
            prerequisite.storage.withLock { $0.addDependent(operation) }
            operation.addDependency(prerequisite.completion)
        }
        queue.operations.addOperation(operation)
    }

    /// The work, which an operation whose turn has come calls; nil if it may not, and then the job has none in the
    /// queue any more.
    func begin(by operation: JobOperation) -> Work? {
        storage.withLock { storage -> Work? in
            guard storage.operation === operation else { return nil }
            storage.operation = nil
            guard storage.snapshot.state == .waiting, !needsNetwork || storage.queue?.network?.isReachable ?? true
            else { return nil }
            storage.hasBegun = true
            storage.snapshot.state = .running
            publishState(&storage)
            return storage.work
        }
    }

    /// Keeps the task of asynchronous work, to be cancelled with the job.
    func keep(_ task: Task<Void, Never>) {
        let isCancelled = storage.withLock { storage in
            if !storage.snapshot.state.isEnded { storage.task = task }
            return storage.snapshot.isCancelled
        }
        if isCancelled { task.cancel() }
    }
}
