/// The outcome of one trial.
public enum TrialOutcome: String, Sendable, Codable, CaseIterable {
    /// All values are the same as in the intact store.
    case same
    /// An error stated the problem and its place.
    case refused
    /// The store opened, and reported damage.
    case reported
    /// A value differs that is stored in the damaged bytes, which no checksum protects.
    case explained
    /// A value differs silently, but the check of the complete file finds the damage.
    case checked
    /// A value differs silently, and nothing explains it.
    case silent
    /// The store has the state before the operation.
    case former
    /// The store has the state after the operation.
    case new
    /// The error does not say what is wrong or where.
    case unclear
    /// The store has neither of the two states, or not the reported one.
    case lost
    /// The process ended unexpectedly: a trap, a crash, memory beyond the limit.
    case trap
    /// The trial did not end within its time.
    case hang
    /// The trial could not run, so it has no result.
    case broken

    /// Whether the outcome is a failure of the library, or the trial could not run.
    public var isFailure: Bool {
        switch self {
        case .same, .refused, .reported, .explained, .checked, .former, .new: false
        case .silent, .unclear, .lost, .trap, .hang, .broken: true
        }
    }
}

/// The report of one trial.
public struct TrialReport: Sendable {
    /// The outcome.
    public let outcome: TrialOutcome
    /// Further details in one line; may be empty.
    public let detail: String

    /// Makes a report.
    public init(_ outcome: TrialOutcome, _ detail: String = "") { (self.outcome, self.detail) = (outcome, detail) }
}
