import CoreDataJobs
import Foundation

/// The third form: jobs of a queue, each on a thread of its own and with a row on the page.
struct QueuedCalculation: Sendable {
    let queue: JobQueue
    let clock: JobClock

    /// Makes a queue that runs so many jobs at a time.
    init(running count: Int = 2, clock: JobClock = .continuous) {
        queue = JobQueue(maximumConcurrentJobCount: count, clock: clock)
        self.clock = clock
    }

    /// Adds a job that calculates; those who observe it hear of its progress at most twice a second.
    ///
    /// - Throws: what `JobQueue.add(_:)` throws.
    @discardableResult
    func add(_ roots: SquareRoots) throws -> Job {
        let job = Job("Square roots of 1 to \(roots.count)", total: Int64(roots.count), clock: clock) { handle in
            for number in stride(from: 1, through: roots.count, by: 1) {
                handle.report(message: roots.text(number))
                try handle.advance()
            }
        }
        try queue.add(job)
        return job
    }

    /// The rows of the page: one for each job.
    func rows() -> [String] {
        queue.rows().map { row in "\(row.title): \(row.rowText)\(row.message.isEmpty ? "" : ", \(row.message)")" }
    }
}
