import Foundation
import LockKit

/// Foundation's operation that calls the work of a job, or passes over it if the job may not begin.
final class JobOperation: Operation, @unchecked Sendable {
    private struct Flags {
        var isExecuting = false
        var isFinished = false
    }

    private let job: Job
    private let flags = Locked(Flags())

    init(_ job: Job) { self.job = job }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { flags.withLock { $0.isExecuting } }
    override var isFinished: Bool { flags.withLock { $0.isFinished } }

    override func start() {
        guard let work = job.begin(by: self) else { return finish() }
        flags.withLock { $0.isExecuting = true }
        didChangeValue(for: \.isExecuting)
        switch work {
        case .blocking(let body):
            // A thread of its own: the threads of Dispatch's global queues are as many as the processors, and work that blocks, or
            // stands still, would keep others' tasks waiting.
            let thread = Thread { [self] in finish(Result { try body(JobHandle(job: job)) }) }
            thread.name = job.title
            thread.start()
        case .asynchronous(let body):
            let task = Task {
                do {
                    try await body(JobHandle(job: job))
                    finish(.success(()))
                } catch {
                    finish(.failure(error))
                }
            }
            job.keep(task)
        }
    }

    /// The job ends before its place in the queue is free, so that never more are running than the queue allows.
    private func finish(_ result: Result<Void, any Error>) {
        job.end(result)
        finish()
    }

    private func finish() {
        flags.withLock { $0 = Flags(isExecuting: false, isFinished: true) }
        didChangeValue(for: \.isFinished)
    }
}
