import CoreData
import CoreDataJobs
import Synchronization

/// The jobs that were started from the page.
///
/// | queue | jobs at a time |
/// |---|---|
/// | of a store | one, so that what writes does not wait for locks of what writes too |
/// | of a store's jobs that ask servers | three; what they bring is written when nothing else is (`FileTurn`) |
///
/// Invariants:
/// 1. Each change of a job is sent to the tabs that show its store: progress at most twice a second.
/// 2. Of ended jobs the last `keptResults` are known with their results, until they are dismissed; rows leave earlier,
///    as `JobQueue.rows()` says.
/// 3. Of the files that ended jobs have made the last `keptFiles` are kept.
final class JobBoard: Sendable {
    private struct Line: Hashable {
        let store: String
        let asksServers: Bool
    }

    private struct State {
        var queues: [Line: JobQueue] = [:]
        var jobs: [BrowserJob] = []
    }

    private static let (keptResults, keptFiles) = (50, 8)

    let resumable: ResumableJobs
    private let live: LiveEvents
    private let state = Mutex(State())
    /// Whether other machines can be reached; without it downloads begin at once.
    private let network: Mutex<Reachability?> = Mutex(nil)

    init(_ live: LiveEvents, in folder: StateFolder) {
        self.live = live
        resumable = ResumableJobs(folder)
    }

    /// Adds a job, which begins when its turn comes.
    ///
    /// - Parameter entry: The record of a job that an ended process had, if it goes on.
    func start(_ plan: JobPlan, in store: BrowsedStore, by user: String?, entry: JournalEntry? = nil) throws
        -> BrowserJob
    {
        let entry = entry ?? plan.resuming.flatMap { resumable.begin($0, plan, in: store.id, by: user) }
        let network = plan.needsNetwork ? reachability() : nil
        let job = BrowserJob(plan, in: store.id, by: user, entry: entry, network: network)
        let isJournaled = entry != nil
        // The board is there as long as the program.
        job.job.observe { [self] in follow(job, $0, isJournaled: isJournaled) }
        let queue = state.withLock { state in
            state.jobs.append(job)
            var surplus = state.jobs.count { $0.job.state.isEnded } - Self.keptResults
            state.jobs.removeAll { job in
                guard surplus > 0, job.job.state.isEnded else { return false }
                surplus -= 1
                return true
            }
            let line = Line(store: store.id, asksServers: plan.asksServers)
            if let queue = state.queues[line] { return queue }
            let queue = JobQueue(
                maximumConcurrentJobCount: line.asksServers ? 3 : 1, network: line.asksServers ? reachability() : nil)
            state.queues[line] = queue
            return queue
        }
        try queue.add(job.job)
        return job
    }

    private func follow(_ job: BrowserJob, _ snapshot: JobSnapshot, isJournaled: Bool) {
        if snapshot.isCancelled { job.outcome.cancellation.cancel() }
        job.note(snapshot)
        if isJournaled, snapshot.state.isEnded { resumable.forget(snapshot.id) }
        if snapshot.state.isEnded, job.outcome.file != nil { removeOldFiles() }
        live.sendToReadersOfAll(.object([("kind", .string("job")), ("job", job.row(snapshot))]), about: job.store)
    }

    /// Removes the oldest files of ended jobs beyond `keptFiles`.
    private func removeOldFiles() {
        let outcomes = state.withLock { $0.jobs }.filter { $0.job.state.isEnded }.map(\.outcome)
        let made = outcomes.compactMap { outcome in outcome.file.map { (outcome: outcome, time: $0.made) } }
        for old in made.sorted(by: { $0.time < $1.time }).dropLast(Self.keptFiles) { old.outcome.removeFile() }
    }

    private func reachability() -> Reachability? {
        network.withLock { network in
            network = network ?? (try? Reachability())
            return network
        }
    }

    private func queues(of store: String) -> [JobQueue] {
        state.withLock { state in
            [false, true].compactMap { state.queues[Line(store: store, asksServers: $0)] }
        }
    }

    /// How many jobs of a store have not ended, those included that an ended process has left.
    func count(of store: String) -> Int {
        state.withLock { $0.jobs.count { $0.store == store && !$0.job.state.isEnded } }
            + resumable.unfinished(of: store).count
    }

    /// The rows of a store's jobs, in the order in which they were started.
    func rows(of store: String) -> [JSONValue] {
        let rows = queues(of: store).flatMap { $0.rows() }
        let order = state.withLock { $0.jobs }
        return order.compactMap { job in rows.first { $0.id == job.job.id }.map { job.row($0) } }
    }

    /// The job of a name, also one whose row has left.
    ///
    /// - Throws: `BrowserFailure` 404.
    func job(_ id: String, of store: String) throws -> BrowserJob {
        guard let job = state.withLock({ $0.jobs.first { $0.id == id && $0.store == store } }) else {
            throw BrowserFailure(
                404, code: "unknownJob", reason: "there is no such job, or it ended long ago",
                hint: "GET /stores/\(store)/jobs lists those that are there")
        }
        return job
    }

    /// Takes an ended job away, with its result and its file.
    func dismiss(_ job: BrowserJob) {
        for queue in queues(of: job.store) { queue.dismiss(job.job.id) }
        state.withLock { state in
            guard job.job.state.isEnded else { return }
            state.jobs.removeAll { $0 === job }
        }
        live.sendToReadersOfAll(
            .object([("kind", .string("job")), ("left", .string(job.id))]), about: job.store)
    }
}
