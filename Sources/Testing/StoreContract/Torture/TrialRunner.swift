import CoreDataGraph
import Dispatch
import Synchronization
import TestBasics

/// Runs trials that may crash in separate, limited processes, several at a time, and counts the outcomes.
///
/// The trial program is an executable whose `main` calls `TrialChild.run`. A trial that ends the process counts as a
/// trap, one that exceeds the time limit as a hang; a new process then continues with the next trial.
public struct TrialRunner: Sendable {
    /// The program that makes the trials.
    public let program: URL
    /// How long each trial may last.
    public let limits: TrialLimits
    /// How many processes make trials at a time.
    public let processes: Int
    /// The file of finished units, with which an interrupted run can be resumed; nil for no file.
    public let record: URL?

    /// Makes a runner.
    public init(program: URL, limits: TrialLimits = TrialLimits(), processes: Int = 2, record: URL? = nil) {
        (self.program, self.limits, self.processes, self.record) = (program, limits, max(1, processes), record)
    }

    /// Makes all trials of the units and returns the counts by subject; `progress` receives each unit that has ended.
    public func run(
        _ units: [TrialUnit], progress: @escaping @Sendable (TrialUnit, TrialCounts) -> Void = { _, _ in }
    ) throws -> [String: TrialCounts] {
        var counts: [String: TrialCounts] = [:]
        let log = try record.map { try TrialRecord($0) }
        for unit in units {
            if let known = log?.counts(of: unit) { counts[unit.subject, default: TrialCounts()].merge(known) }
        }
        let open = units.filter { log?.counts(of: $0) == nil }
        let state = Mutex((next: 0, counts: counts, failure: nil as (any Error)?))
        DispatchQueue.concurrentPerform(iterations: min(processes, max(1, open.count))) { _ in
            while let unit = state.withLock({ state -> TrialUnit? in
                guard state.failure == nil, state.next < open.count else { return nil }
                defer { state.next += 1 }
                return open[state.next]
            }) {
                do {
                    let found = try run(unit)
                    try log?.add(unit, found)
                    state.withLock { $0.counts[unit.subject, default: TrialCounts()].merge(found) }
                    progress(unit, found)
                } catch {
                    state.withLock { $0.failure = error }
                }
            }
        }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.counts
        }
    }

    /// Runs the trials of one unit, with a new process after each one that ends early.
    private func run(_ unit: TrialUnit) throws -> TrialCounts {
        var counts = TrialCounts()
        var first = 1
        while let next = try series(unit, from: first, &counts) { first = next }
        return counts
    }

    /// Starts one process that runs trials from a number on; returns the number of the next trial, nil after the last.
    private func series(_ unit: TrialUnit, from first: Int, _ counts: inout TrialCounts) throws -> Int? {
        let folder = try TemporaryFolder()
        let errors = folder.url.appendingPathComponent("errors")
        guard FileManager.default.createFile(atPath: errors.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: errors)
        defer { try? handle.close() }
        let child = try Child(unit.arguments + ["\(first)"], of: program, errors: handle)
        var current: Int?
        while true {
            switch child.word(within: Int32(limits.seconds) * 1_000) {
            case .line("."):
                _ = child.status()
                return nil
            case .line(let line):
                let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
                if words.first == ">", words.count == 2 { current = Int(words[1]) }
                guard words.first == "<", words.count >= 3, let outcome = TrialOutcome(rawValue: words[2]) else {
                    continue
                }
                counts.add(TrialReport(outcome, words.count > 3 ? words[3] : ""), "\(unit.name), trial \(words[1])")
                current = nil
            case .silence:
                child.kill()
                counts.add(TrialReport(.hang), "\(unit.name), trial \(current ?? first)")
                return (current ?? first) + 1
            case .end:
                let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                let status = child.status()
                let report = TrialReport(
                    status < 0 ? .trap : .broken,
                    "status \(status) \(said.suffix(500).replacingOccurrences(of: "\n", with: " "))")
                counts.add(report, "\(unit.name), trial \(current ?? first)")
                // A process that ended before its first trial is not started again, since it would fail in the same
                // way.
                return current.map { $0 + 1 }
            }
        }
    }
}
