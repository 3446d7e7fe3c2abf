import Foundation

/// Which of the jobs that are ready begins first. It does not stop one that runs.
public enum JobPriority: Int, Sendable, Comparable, CaseIterable {
    case veryLow, low, normal, high, veryHigh

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
