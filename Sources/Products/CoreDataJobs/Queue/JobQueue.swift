import Foundation
import LockKit

/// Runs jobs, a number of them at a time, and keeps a list of them.
///
/// The scheduling is that of Foundation's `OperationQueue`: of the jobs that are ready the one with the highest priority begins first,
/// a job begins after its prerequisites, a suspended queue begins none. A job that fails leaves others going; those that have it as
/// prerequisite are cancelled, with the reason.
///
/// May be used from any thread. Jobs that were added run although the queue is released.
public final class JobQueue: Sendable {
    let scheduling: JobScheduling
    let list: Locked<JobList>
    private let clock: JobClock
    private let observation: Observation?

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - maximumConcurrentJobCount: How many jobs run at a time, at least 1; paused ones that have begun count.
    ///   - network: What says whether the network can be reached, for jobs that need it; without it they begin as others do.
    ///   - lingering: How long the row of an ended job stays after it was first seen.
    ///   - clock: The time by which rows leave.
    public init(
        maximumConcurrentJobCount: Int = 2, network: (any NetworkStatus)? = nil, lingering: Duration = .seconds(5),
        clock: JobClock = .continuous
    ) {
        scheduling = JobScheduling(network: network)
        scheduling.operations.name = "CoreDataJobs.JobQueue"
        scheduling.operations.maxConcurrentOperationCount = max(1, maximumConcurrentJobCount)
        list = Locked(JobList(lingering: lingering))
        self.clock = clock
        let weakly = WeakQueue()
        observation = network?.observe { isReachable in
            guard isReachable, let queue = weakly.queue.withLock({ $0.value }) else { return }
            queue.networkReturned()
        }
        weakly.queue.withLock { $0.value = self }
    }

    deinit { observation?.cancel() }

    /// The observer of the network must not keep the queue, which keeps the observer.
    private final class WeakQueue: Sendable {
        struct Reference { weak var value: JobQueue? }

        let queue = Locked(Reference())
    }

    /// How many jobs run at a time.
    public var maximumConcurrentJobCount: Int {
        get { scheduling.operations.maxConcurrentOperationCount }
        set { scheduling.operations.maxConcurrentOperationCount = max(1, newValue) }
    }

    /// Whether no job begins; those that run go on.
    public var isSuspended: Bool {
        get { scheduling.operations.isSuspended }
        set { scheduling.operations.isSuspended = newValue }
    }

    /// Adds a job, which begins when its turn comes.
    ///
    /// - Throws: ``JobError`` if the job was run or added before.
    public func add(_ job: Job) throws {
        try job.use(in: scheduling)
        list.withLock { $0.append(job) }
        job.enqueue()
    }

    /// The jobs of the list, in the order in which they were added: those that have not ended, and ended ones whose rows have not left.
    public var jobs: [Job] { list.withLock { $0.jobs } }

    /// The job with an identifier, while it is in the list.
    public func job(_ id: UUID) -> Job? { jobs.first { $0.id == id } }

    /// Cancels all jobs that have not ended.
    public func cancelAll() { for job in jobs { job.cancel() } }

    /// The rows of a page or a table that shows the jobs, in the order in which they were added.
    ///
    /// Rows of jobs that have finished or were cancelled leave some time after they were first returned by this, so that a page that is
    /// loaded again in between still has them; those of failed jobs leave by ``dismiss(_:)``.
    public func rows() -> [JobSnapshot] { list.withLock { $0.rows(at: clock.now()) } }

    /// Takes the row of an ended job away.
    public func dismiss(_ id: UUID) { list.withLock { $0.remove(id) } }

    private func networkReturned() {
        for job in jobs where !job.state.isEnded {
            job.wake()
            if job.needsNetwork { job.enqueue() }
        }
    }
}
