import Foundation

/// The jobs of a queue in the order in which they were added, and which of the ended ones have been seen.
///
/// Of ended jobs that are not seen, the oldest are dropped beyond `greatestEndedCount`.
struct JobList {
    private struct Entry {
        let job: Job
        var seen: Duration?
    }

    static let greatestEndedCount = 200

    private let lingering: Duration
    private var entries: [Entry] = []

    init(lingering: Duration) { self.lingering = lingering }

    var jobs: [Job] { entries.map(\.job) }

    mutating func append(_ job: Job) {
        entries.append(Entry(job: job))
        var surplus = entries.count { $0.job.state.isEnded } - Self.greatestEndedCount
        guard surplus > 0 else { return }
        entries.removeAll { entry in
            guard surplus > 0, entry.job.state.isEnded else { return false }
            surplus -= 1
            return true
        }
    }

    /// What is shown now: it counts as seen.
    mutating func rows(at now: Duration) -> [JobSnapshot] {
        entries.removeAll { entry in
            guard let seen = entry.seen else { return false }
            return now - seen >= lingering
        }
        return entries.indices.map { index in
            let snapshot = entries[index].job.snapshot
            if snapshot.state == .finished || snapshot.state == .cancelled, entries[index].seen == nil {
                entries[index].seen = now
            }
            return snapshot
        }
    }

    mutating func remove(_ id: UUID) { entries.removeAll { $0.job.id == id && $0.job.state.isEnded } }
}
