import Dispatch
import Foundation
import LockKit

/// A piece of long work, such as an import, an export, a migration or a check: with its state and progress, which others observe, and with
/// cancelling and pausing.
///
///     let job = Job("Import people", total: 1_000) { handle in
///         for person in people {
///             try insert(person)
///             try handle.advance()
///         }
///     }
///     try queue.add(job)
///
/// The work is called once, by the ``JobQueue`` that the job was added to. It receives a ``JobHandle``, by which it reports its
/// progress, learns that it was cancelled, and stands still while the job is paused.
///
/// May be used from any thread. Foundation's `Progress` and Swift's cancellation are connected: ``progress`` cancels and pauses the
/// job, the task of asynchronous work is cancelled with it, and a cancelled task that waits in ``waitForCompletion()`` cancels the job.
///
/// Invariants:
/// 1. The work is called at most once, and after all prerequisites have finished.
/// 2. After an ended state nothing changes, and observers hear of nothing more.
/// 3. `completion` is started exactly once, after the jobs that wait for a failed one were cancelled.
/// 4. A job that has ended does not keep its work.
public final class Job: Sendable, Identifiable {
    enum Work: Sendable {
        case blocking(@Sendable (JobHandle) throws -> Void)
        case asynchronous(@Sendable (JobHandle) async throws -> Void)
    }

    /// The least time between two publications of progress: observers hear of it at most twice a second.
    public static let publicationInterval = Duration.milliseconds(500)

    /// What names the job among others; of a job with a journal entry, that of the entry.
    public let id: UUID
    /// What the job does, for people.
    public let title: String
    /// Which of the jobs that are ready begins first.
    public let priority: JobPriority
    /// Whether it begins only when the network of its queue can be reached.
    public let needsNetwork: Bool
    let access: ProgressAccess
    /// Finished when the job has ended; the operations of jobs that wait for this one depend on it.
    let completion = BlockOperation {}
    let entry: JournalEntry?
    let clock: JobClock
    let delivery: DispatchQueue
    let storage: Locked<JobStorage>

    init(
        _ title: String, total: Int64, priority: JobPriority, after prerequisites: [Job], needsNetwork: Bool,
        entry: JournalEntry?, clock: JobClock, work: Work
    ) {
        (self.title, self.priority, self.needsNetwork) = (title, priority, needsNetwork)
        (self.entry, self.clock) = (entry, clock)
        let id = entry?.record.id ?? UUID()
        self.id = id
        let record = entry?.record
        let snapshot = JobSnapshot(
            id: id, title: title, state: .waiting, completedUnitCount: max(0, record?.completedUnitCount ?? 0),
            totalUnitCount: max(0, record.map { max($0.totalUnitCount, total) } ?? total), message: "",
            isCancelled: false)
        access = ProgressAccess(completed: snapshot.completedUnitCount, total: snapshot.totalUnitCount)
        delivery = DispatchQueue(label: "CoreDataJobs.Job.\(id)")
        storage = Locked(
            JobStorage(snapshot, interval: Self.publicationInterval, prerequisites: prerequisites, work: work))
        let progress = access.progress
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        progress.pausingHandler = { [weak self] in self?.followProgress() }
        progress.resumingHandler = { [weak self] in self?.followProgress() }
    }

    /// Makes a job whose work blocks a thread, which is its own.
    ///
    /// - Parameters:
    ///   - total: The number of units of work; 0 while it is not known.
    ///   - prerequisites: Jobs that must finish first; if one fails or is cancelled, so is this one. One that is given to no queue
    ///     is waited for forever.
    ///   - needsNetwork: Whether it begins only when the network of its queue can be reached.
    ///   - entry: Where the job is noted so that it can be resumed after the end of the process; its progress is taken over.
    ///   - clock: The time by which progress is published.
    public convenience init(
        _ title: String, total: Int64 = 0, priority: JobPriority = .normal, after prerequisites: [Job] = [],
        needsNetwork: Bool = false, entry: JournalEntry? = nil, clock: JobClock = .continuous,
        work: @escaping @Sendable (JobHandle) throws -> Void
    ) {
        self.init(
            title, total: total, priority: priority, after: prerequisites, needsNetwork: needsNetwork, entry: entry,
            clock: clock, work: .blocking(work))
    }

    /// Makes a job whose work is asynchronous; it counts as running until it returns, although it occupies no thread.
    ///
    /// The parameters are those of the initializer with blocking work.
    public convenience init(
        _ title: String, total: Int64 = 0, priority: JobPriority = .normal, after prerequisites: [Job] = [],
        needsNetwork: Bool = false, entry: JournalEntry? = nil, clock: JobClock = .continuous,
        asynchronousWork work: @escaping @Sendable (JobHandle) async throws -> Void
    ) {
        self.init(
            title, total: total, priority: priority, after: prerequisites, needsNetwork: needsNetwork, entry: entry,
            clock: clock, work: .asynchronous(work))
    }

    /// What is known of the job now.
    public var snapshot: JobSnapshot { storage.withLock { $0.snapshot } }

    /// Where the job is in its life.
    public var state: JobState { snapshot.state }

    /// Foundation's object for the progress, which follows the job as observers do: at most twice a second, and at the end.
    ///
    /// `cancel()`, `pause()` and `resume()` of it, or of a parent, do the same to the job; ``pause()`` of the job does not change
    /// `isPaused` here. To make it part of a larger one use ``join(_:units:)``: Foundation's class has no lock on Linux. A job
    /// whose number of units is not known has −1 as total until it finishes.
    public var progress: Progress { access.progress }

    /// Makes the job's progress a part of another one, of whose units it is so many.
    ///
    /// Jobs change their progress, and with it that of parents, one at a time. Who changes a parent itself must do so before its
    /// jobs begin.
    public func join(_ parent: Progress, units: Int64) { access.join(parent, units: units) }
}
