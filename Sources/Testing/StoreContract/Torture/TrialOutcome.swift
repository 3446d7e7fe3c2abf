/// What came of one trial.
public enum TrialOutcome: String, Sendable, Codable, CaseIterable {
    /// All that was read is as in the sound store.
    case same
    /// An error said what is wrong and where.
    case refused
    /// The store opened, and said that something of it is damaged.
    case reported
    /// A value differs that lies in the damaged bytes themselves, which no checksum guards.
    case explained
    /// A value differs silently, but the check of the complete file finds the damage.
    case checked
    /// A value differs silently, and nothing explains it.
    case silent
    /// The store holds what it held before the operation.
    case former
    /// The store holds what the operation was to make of it.
    case new
    /// The error does not say what is wrong or where.
    case unclear
    /// The store has neither of the two states, or not the reported one.
    case lost
    /// The process ended unexpectedly: a trap, a crash, memory beyond the limit.
    case trap
    /// The trial did not end within its time.
    case hang
    /// The trial could not be made, so that it says nothing.
    case broken

    /// Whether a library that promises to survive its input has broken the promise.
    public var isFailure: Bool {
        switch self {
        case .same, .refused, .reported, .explained, .checked, .former, .new: false
        case .silent, .unclear, .lost, .trap, .hang, .broken: true
        }
    }
}

/// What a process of trials says of one of them.
public struct TrialReport: Sendable {
    /// What came of it.
    public let outcome: TrialOutcome
    /// What else there is to say, in one line.
    public let detail: String

    /// Makes a report.
    public init(_ outcome: TrialOutcome, _ detail: String = "") { (self.outcome, self.detail) = (outcome, detail) }
}
