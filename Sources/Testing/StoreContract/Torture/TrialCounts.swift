import CoreDataGraph

/// The numbers of trials by outcome, and descriptions of the first failures.
public struct TrialCounts: Sendable, Codable {
    /// The numbers of trials by their outcomes.
    public private(set) var numbers: [String: Int] = [:]
    /// One line for each of the first 40 failures, with the data needed to repeat the trial.
    public private(set) var failures: [String] = []

    private static let kept = 40

    /// Makes counts of no trials.
    public init() {}

    /// How many trials ended so.
    public subscript(outcome: TrialOutcome) -> Int { numbers[outcome.rawValue] ?? 0 }

    /// How many trials there were.
    public var total: Int { numbers.values.reduce(0, +) }

    /// How many trials failed.
    public var failed: Int { TrialOutcome.allCases.filter(\.isFailure).map { self[$0] }.reduce(0, +) }

    /// Counts one trial.
    mutating func add(_ report: TrialReport, _ place: String) {
        numbers[report.outcome.rawValue, default: 0] += 1
        guard report.outcome.isFailure, failures.count < Self.kept else { return }
        failures.append("\(report.outcome.rawValue): \(place)\(report.detail.isEmpty ? "" : ": \(report.detail)")")
    }

    /// Adds the trials of another part.
    public mutating func merge(_ other: TrialCounts) {
        numbers.merge(other.numbers) { $0 + $1 }
        failures = Array((failures + other.failures).prefix(Self.kept))
    }

    /// The numbers in one line, such as `412 trials: 300 same, 112 refused`.
    public var line: String {
        let parts = TrialOutcome.allCases.filter { self[$0] > 0 }.map { "\(self[$0]) \($0.rawValue)" }
        return "\(total) trials" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }
}
