import CoreData
import CoreDataJobs

/// A job of the page that has not been added to the queue: what it does, and with what.
struct JobPlan: Sendable {
    let kind: JobKind
    /// What it is about: the name of a file or a store.
    let subject: String
    var total: Int = 0
    /// What a later process needs to begin it again; nil for one that is not offered again.
    var resuming: ResumableJob?
    /// Whether it begins only when other machines can be reached.
    var needsNetwork = false
    /// Whether most of its time it waits for servers; such jobs do not hold up those that work with the store's file.
    var asksServers = false
    /// Does the work on a thread of its own, with the current `ReadCancellation` canceled when the job is; returns the
    /// result.
    let work: @Sendable (JobHandle, JobOutcome) throws -> JSONValue

    init(_ kind: JobKind, _ subject: String, work: @escaping @Sendable (JobHandle, JobOutcome) throws -> JSONValue) {
        (self.kind, self.subject, self.work) = (kind, subject, work)
    }
}

extension JobHandle {
    /// Reports progress where the caller counts and cannot throw. A job that is paused stands still here.
    func count(_ completed: Int, of total: Int? = nil) {
        report(completed: Int64(completed), total: total.map { Int64($0) })
        // A cancelled job ends by its cancellation of reads.
        try? passPausePoint()
    }
}
