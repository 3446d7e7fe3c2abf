import Foundation
import Synchronization

/// The only way to the `Progress` object of a job.
///
/// Open-source Foundation's `Progress` has no lock of its own, and a change of a child changes its parents: jobs with a common parent
/// would meet there. So one lock of the process is held while any of them changes.
final class ProgressAccess: Sendable {
    private static let lock = NSLock()

    /// Changed only while the lock is held.
    let progress: Progress
    /// Whether the last counts are there: those of publications under way come too late then.
    private let isFinal = Atomic(false)

    init(completed: Int64, total: Int64) {
        progress = Progress.discreteProgress(totalUnitCount: total > 0 ? total : -1)
        progress.completedUnitCount = completed
        progress.isCancellable = true
        progress.isPausable = true
    }

    func set(completed: Int64, total: Int64, isFinal: Bool = false) {
        Self.lock.withLock {
            guard !self.isFinal.load(ordering: .relaxed) else { return }
            self.isFinal.store(isFinal, ordering: .relaxed)
            let all = total > 0 ? total : -1
            if progress.totalUnitCount != all { progress.totalUnitCount = all }
            if progress.completedUnitCount != completed { progress.completedUnitCount = completed }
        }
    }

    /// Makes the progress a part of another one.
    func join(_ parent: Progress, units: Int64) {
        Self.lock.withLock { parent.addChild(progress, withPendingUnitCount: units) }
    }
}
