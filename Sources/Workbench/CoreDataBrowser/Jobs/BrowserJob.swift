import CoreData
import CoreDataJobs
import Synchronization

/// A job that was started from the page, with what rows and views show of it.
final class BrowserJob: Sendable {
    let kind: JobKind
    let subject: String
    /// The store whose views show it.
    let store: String
    /// Who started it; nil for the person of a session.
    let user: String?
    let outcome: JobOutcome
    let job: Job
    /// What says whether other machines can be reached.
    private let network: (any NetworkStatus)?
    private let started = ContinuousClock.now
    private let rate = Mutex(RateEstimate())

    init(
        _ plan: JobPlan, in store: String, by user: String?, entry: JournalEntry?, network: (any NetworkStatus)?
    ) {
        self.network = network
        let (kind, outcome, work) = (plan.kind, JobOutcome(), plan.work)
        (self.kind, self.store, self.user, self.outcome) = (kind, store, user, outcome)
        subject = PrintableText.escaped(plan.subject, limit: 200)
        job = Job(
            kind.title(subject), total: Int64(plan.total), needsNetwork: plan.needsNetwork, entry: entry
        ) { handle in
            outcome.set(
                try ReadCancellation.$current.withValue(outcome.cancellation) { try work(handle, outcome) })
        }
    }

    var id: String { job.id.uuidString }

    /// Notes how far it is, from which the rate is estimated.
    func note(_ snapshot: JobSnapshot) {
        guard snapshot.state == .running else { return }
        rate.withLock { $0.add(snapshot.completedUnitCount, at: ContinuousClock.now - started) }
    }

    /// `{"id", "kind", "subject", "state", "completed", "total", "unit", "fraction", "text", "message", "rate",
    /// "remaining", "elapsed", "reason", "cancelled", "pausable"}`
    func row(_ snapshot: JobSnapshot) -> JSONValue {
        let (speed, rest) = rate.withLock { ($0.rate, $0.remaining(of: snapshot.totalUnitCount)) }
        let isRunning = snapshot.state == .running
        return .object([
            ("id", .string(id)), ("kind", .string(kind.rawValue)), ("subject", .string(subject)),
            ("state", .string(snapshot.state.rawValue)),
            ("completed", .integer(snapshot.completedUnitCount)),
            ("total", snapshot.totalUnitCount > 0 ? .integer(snapshot.totalUnitCount) : .null),
            ("unit", .string(kind.unit)), ("fraction", snapshot.fraction.map { .real($0) } ?? .null),
            ("text", .string(PrintableText.escaped(snapshot.rowText, limit: 500))),
            ("message", .text(message(snapshot))),
            ("rate", isRunning ? speed.map { .real($0.rounded()) } ?? .null : .null),
            (
                "remaining",
                isRunning && snapshot.totalUnitCount > 0 ? rest.map { .real($0.rounded(.up)) } ?? .null : .null
            ),
            ("elapsed", .real(((ContinuousClock.now - started) / .seconds(1)).rounded(.down))),
            ("reason", .text(reason(snapshot))), ("cancelled", .bool(snapshot.isCancelled)),
            ("pausable", .bool(!snapshot.state.isEnded && (kind.canPause || snapshot.state == .waiting))),
        ])
    }

    private func message(_ snapshot: JobSnapshot) -> String? {
        if snapshot.state == .waiting, job.needsNetwork, network?.isReachable == false {
            return "the network cannot be reached"
        }
        return snapshot.message.isEmpty ? nil : PrintableText.escaped(snapshot.message, limit: 200)
    }

    private func reason(_ snapshot: JobSnapshot) -> String? {
        snapshot.error.map { PrintableText.escaped(BrowserFailure($0).reason, limit: 500) }
            ?? snapshot.reason.map { PrintableText.escaped($0, limit: 500) }
    }

    /// The row, and once the job has ended its `result` or `error`.
    var json: JSONValue {
        let snapshot = job.snapshot
        guard case .members(let members) = row(snapshot) else { return .null }
        let failure = snapshot.error.map { BrowserFailure($0).json } ?? .null
        return .members(
            members + [
                .init(key: "result", value: snapshot.state == .finished ? outcome.result ?? .null : .null),
                .init(key: "error", value: snapshot.state == .failed ? failure : .null),
                .init(key: "file", value: .text(outcome.file?.name)),
            ])
    }
}
