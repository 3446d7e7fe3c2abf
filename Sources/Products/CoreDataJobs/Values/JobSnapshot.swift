import Foundation

/// What is known of a job at one moment; observers and rows have these.
public struct JobSnapshot: Sendable, Identifiable {
    /// The job's identifier.
    public let id: UUID
    /// What it does, for people.
    public let title: String
    /// What it does at the moment, or how it ended.
    public internal(set) var state: JobState
    /// The units done.
    public internal(set) var completedUnitCount: Int64
    /// The units in all; 0 while their number is not known.
    public internal(set) var totalUnitCount: Int64
    /// What it does just now, for people; empty if it says nothing.
    public internal(set) var message: String
    /// Whether it was cancelled, although its work may not have ended yet.
    public internal(set) var isCancelled: Bool
    /// Why it was cancelled or has failed, for people.
    public internal(set) var reason: String?
    /// The error of a job that has failed.
    public internal(set) var error: (any Error)?

    /// The part that is done, from 0 to 1; nil while the number of units is not known.
    public var fraction: Double? {
        if state == .finished { return 1 }
        guard totalUnitCount > 0 else { return nil }
        return min(1, max(0, Double(completedUnitCount) / Double(totalUnitCount)))
    }

    /// The text of the job's row in a list: `Waiting...`, `Completed 3 of 10`, `Cancelled...` or `Failed: ` with the reason.
    ///
    /// A job whose number of units is not known has `Completed 3`.
    public var rowText: String {
        if isCancelled, state != .finished, state != .failed { return "Cancelled..." }
        switch state {
        case .waiting: return "Waiting..."
        case .paused where completedUnitCount == 0: return "Waiting..."
        case .cancelled: return "Cancelled..."
        case .failed: return "Failed: \(reason ?? "no reason is known")"
        case .running, .paused, .finished: break
        }
        guard totalUnitCount > 0 else { return "Completed \(completedUnitCount)" }
        return "Completed \(completedUnitCount) of \(totalUnitCount)"
    }
}
