import Foundation

/// Which of the jobs that are ready begins first. It does not stop one that runs.
public enum JobPriority: Int, Sendable, Comparable, CaseIterable {
    /// After all others.
    case veryLow
    /// After those of usual priority.
    case low
    /// The priority of jobs that say none.
    case normal
    /// Before those of usual priority.
    case high
    /// Before all others.
    case veryHigh

    public static func < (one: JobPriority, other: JobPriority) -> Bool { one.rawValue < other.rawValue }

    var queuePriority: Operation.QueuePriority {
        switch self {
        case .veryLow: .veryLow
        case .low: .low
        case .normal: .normal
        case .high: .high
        case .veryHigh: .veryHigh
        }
    }
}
